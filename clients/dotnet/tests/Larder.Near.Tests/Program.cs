using System.Diagnostics;
using System.Runtime.CompilerServices;
using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;

const OperationKind N = OperationKind.NearGet, P = OperationKind.PlainRead, W = OperationKind.Write, D = OperationKind.Delete, F = OperationKind.Flush;
Scenario[] scenarios =
[
    new() { Name = "near/write", First = N, Second = W },
    new() { Name = "near+plain/write", First = N | P, Second = W },
    new() { Name = "near+write/write", First = N | W, Second = W },
    new() { Name = "near+write/near+write 2 2", First = N | W, Second = N | W, FirstCalls = 2, SecondCalls = 2 },
    new() { Name = "near/write time", First = N, Second = W, Time = 3, Renews = 1, SecondCalls = 2 },
    new() { Name = "near/del+flush", First = N, Second = D | F | W, SecondCalls = 2 },
];
Console.WriteLine($"{Unsafe.SizeOf<World>()} bytes");
foreach (Scenario scenario in scenarios)
{
    var watch = Stopwatch.StartNew();
    NearWorld world = new(scenario, Safeguard.None);
    Exploration found = Explorer.Explore(world, 8_000_000);
    Console.WriteLine($"{scenario.Name}: {found.States} states, {world.MachineStates} machine, complete {found.IsComplete}, {watch.Elapsed.TotalSeconds:F1} s, {found.Violation}");
    foreach (string step in found.Way) Console.WriteLine("    " + step);
}
