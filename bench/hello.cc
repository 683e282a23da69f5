// The yardstick of start-up: the least that a C++ program does.
#include <iostream>

int main() { std::cout << "hello, world\n"; }
