using System.Diagnostics;
using System.Runtime.CompilerServices;
using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;

const OperationKind N = OperationKind.NearGet, P = OperationKind.PlainRead, W = OperationKind.Write, D = OperationKind.Delete, F = OperationKind.Flush, L = OperationKind.LargeWrite;
Scenario s1 = new() { Name = "near/write", First = N, Second = W };
Scenario s2 = new() { Name = "near+plain/write", First = N | P, Second = W, SecondCalls = 2 };
Scenario s3 = new() { Name = "near+write/write", First = N | W, Second = W, SecondCalls = 2 };
Scenario s3e = new() { Name = "near+write/write errors", First = N | W, Second = W, SecondCalls = 1, Errors = 1 };
Scenario s4 = new() { Name = "time", First = N, Second = W, Time = 2, Lease = 1, Renews = 1, SecondCalls = 2 };
Scenario s5 = new() { Name = "del+large", First = N, Second = D | L | W, SecondCalls = 2 };
Scenario s6 = new() { Name = "flush by B", First = N, Second = F | W, SecondCalls = 2, Keys = 2, FirstCalls = 3 };
Scenario s6t = new() { Name = "flush by B time", First = N, Second = F, SecondCalls = 1, Keys = 2, FirstCalls = 3, Time = 2, Lease = 1, Renews = 1 };
Scenario s7 = new() { Name = "own flush", First = N | F, Second = W, SecondCalls = 1, Keys = 2 };
Scenario s8 = new() { Name = "expiry", First = N, Second = W, SecondCalls = 1, Time = 3, ExpiresAt = 2, Renews = 1 };
Scenario s9 = new() { Name = "loss", First = N, Second = W, SecondCalls = 2, Loses = true, Retries = true };
Scenario s9t = new() { Name = "loss time", First = N, Second = W, SecondCalls = 1, Loses = true, Time = 2, Lease = 1, Renews = 1 };
Scenario s10 = new() { Name = "replaced", First = N, Second = W, SecondCalls = 2, Replaces = true };
Scenario s10t = new() { Name = "replaced time", First = N, Second = W, FirstCalls = 2, SecondCalls = 1, Replaces = true, Time = 2, Lease = 1, Renews = 2 };
Scenario s11 = new() { Name = "overflow", First = N, Second = W, SecondCalls = 3, Overflows = true, Keys = 2, };
Scenario s11t = new() { Name = "overflow time", First = N, Second = W, SecondCalls = 2, Overflows = true, Keys = 2, Time = 1, Lease = 1, Renews = 1, FirstCalls = 2 };
Scenario s12 = new() { Name = "opens", First = N, Second = W, SecondCalls = 2, Opens = true, };
Scenario s12t = new() { Name = "opens time", First = N, Second = W, SecondCalls = 2, Opens = true, Time = 1, Lease = 1, Renews = 1 };
Scenario s13 = new() { Name = "shared ticket", First = N, Second = W, SecondCalls = 2, Keys = 2, SharesTicket = true, };
Scenario s14 = new() { Name = "unordered", First = N | P, Second = W, SecondCalls = 2, IsUnordered = true };
Scenario s15 = new() { Name = "both near", First = N | W, Second = N | W, FirstCalls = 2, SecondCalls = 2, };
Scenario f1 = new() { Name = "fleet", First = N, Second = W, SecondCalls = 2, Nodes = 1, Time = 2, Lease = 1, Renews = 1 };
Scenario f2 = new() { Name = "fleet loss", First = N, Second = W, SecondCalls = 1, Nodes = 1, Time = 2, Lease = 1, Renews = 1, LinkLosses = 1 };
Scenario f3 = new() { Name = "fleet moves", First = N, Second = W, SecondCalls = 1, Nodes = 2, Time = 1, Lease = 1, Renews = 1, Moves = SlotMove.Told };
Scenario f3s = new() { Name = "fleet moves silently", First = N, Second = W, SecondCalls = 1, Nodes = 2, Time = 1, Lease = 1, Renews = 1, Moves = SlotMove.Silent };
Scenario f4 = new() { Name = "fleet fails over", First = N, Second = W, SecondCalls = 1, Nodes = 2, Time = 2, Lease = 1, Renews = 1, FailsOver = true };
Scenario f5 = new() { Name = "fleet flush", First = N, Second = F | W, SecondCalls = 2, Nodes = 1, Time = 1, Lease = 1, Renews = 1 };
Scenario f6 = new() { Name = "fleet two nodes", First = N, Second = W, SecondCalls = 1, Nodes = 2, Keys = 2, Time = 1, Lease = 1, Renews = 1 };
Scenario f7 = new() { Name = "fleet plain+write", First = N | P | W, Second = W, SecondCalls = 2, Nodes = 1, FirstCalls = 3 };
Scenario f8 = new() { Name = "fleet unordered loss", First = N | P, Second = W, SecondCalls = 2, Nodes = 2, FirstCalls = 3, LinkLosses = 1, Moves = SlotMove.Told, IsUnordered = true };
(Safeguard Removed, Scenario[] In)[] runs =
[
    (Safeguard.None, [f1, f2, f3, f3s, f4, f5, f6, f7, f8]),
    (Safeguard.NoteBeforeReading, [f1]),
    (Safeguard.TicketOfTrackedReply, [f3]),
    (Safeguard.ChangesBeforeReplies, [f1]),
    (Safeguard.ClearOfLostLink, [f2]),
    (Safeguard.ClearOfMovedSlot, [f3, f3s, f4]),
    (Safeguard.ClearOfHeardFlush, [f5]),
    (Safeguard.ReadBeforeRenewal, [f1, f4]),
    (Safeguard.AllNodesBeforeRenewal, [f6]),
    (Safeguard.ReadNotPing, [f4]),
    (Safeguard.None, [s1, s2, s3, s3e, s4, s5, s6, s6t, s7, s8, s9, s9t, s10, s10t, s11, s11t, s12, s12t, s13, s14, s15]),
    (Safeguard.NoteBeforeReading, [s1, s4]),
    (Safeguard.VisibleBeforeTaking, [s1, s4]),
    (Safeguard.TellingBeforeAnswer, [s1, s3, s4]),
    (Safeguard.SettlingBeforeRenewal, [s4]),
    (Safeguard.TicketsBeforeRenewal, [s4]),
    (Safeguard.ClearOfFlush, [s6, s6t]),
    (Safeguard.ClearOfOverflow, [s11, s11t]),
    (Safeguard.ForgettingBeforeReuse, [s9, s9t]),
    (Safeguard.BarrierOfFirstStream, [s12, s12t]),
    (Safeguard.TicketsBeforeResults, [s1, s4, s14]),
    (Safeguard.OwnWriteDrops, [s3]),
    (Safeguard.OwnWritePoisons, [s3]),
    (Safeguard.ErrorsTell, [s3e]),
    (Safeguard.PlainReadDrops, [s2]),
    (Safeguard.PlainReadPoisons, [s2]),
    (Safeguard.EndCounts, [s2, s3]),
    (Safeguard.OwnFlushDrops, [s7]),
    (Safeguard.OwnFlushPoisons, [s7]),
    (Safeguard.NearAnswerPoisons, [s1, s14, s2]),
    (Safeguard.UnkeptAnswerDrops, [s1, s5, s2]),
    (Safeguard.TicketDrops, [s1, s4]),
    (Safeguard.TicketIsRemembered, [s1, s4]),
    (Safeguard.ClearDrops, [s6, s6t]),
    (Safeguard.ClearPoisons, [s6, s6t]),
    (Safeguard.LossDrops, [s9, s9t, s10, s10t]),
    (Safeguard.LossPoisons, [s9, s9t, s10, s10t]),
    (Safeguard.LeaseEnds, [s4, s9t]),
    (Safeguard.LeaseFromSending, [s4]),
    (Safeguard.LeaseOfOwnStream, [s10t]),
    (Safeguard.LifeEnds, [s8]),
    (Safeguard.LifeFromSending, [s8]),
];
Console.WriteLine($"{Unsafe.SizeOf<World>()} bytes");
foreach ((Safeguard removed, Scenario[] all) in runs)
foreach (Scenario scenario in all)
{
    if (args.Length > 0 && !args.Contains(removed.ToString()) && !args.Any(scenario.Name.StartsWith)) continue;
    var watch = Stopwatch.StartNew();
    NearWorld world = new(scenario, removed);
    Exploration found = Explorer.Explore(world, 8_000_000);
    Console.WriteLine($"{removed} {scenario.Name}: {found.States} states, {world.MachineStates} machine, complete {found.IsComplete}, {watch.Elapsed.TotalSeconds:F1} s, {found.Way.Count} steps {found.Violation}");
    if (removed == Safeguard.None || args.Contains("tell")) foreach (string step in found.Way) Console.WriteLine("    " + step);
}
