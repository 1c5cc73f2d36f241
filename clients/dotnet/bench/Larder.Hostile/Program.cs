// Tests that clients recover from misuse and faults: invalid arguments, cancellations, listeners and factories that throw, and a server that is paused, stopped
// and restarted. After each round, all calls must end, and new calls must succeed. The heap must not grow by more than GrowthBytes.
// Usage: ./larder lab hostile --client dotnet [--minutes 10] [--seed N]. The exit code is 1 if a check failed.
using System.Collections.Concurrent;
using System.Globalization;
using Larder.Client;
using Larder.Hostile;

const int SettledMs = 20_000;

// The maximum growth of the heap. It is above 0, because the caches of the runtime and the pools that a burst fills also take memory.
const long GrowthBytes = 4 << 20;

string program = args[0];
double minutes = Setting("--minutes", 10);
int seed = (int)Setting("--seed", Environment.ProcessId);
Random random = new(seed);
List<string> faults = [];
AppDomain.CurrentDomain.UnhandledException += static (_, error) => Console.WriteLine($"FAULT an exception ends the process: {error.ExceptionObject}");
TaskScheduler.UnobservedTaskException += static (_, error) => Console.WriteLine($"note: nobody saw {error.Exception.GetBaseException().GetType().Name}");

using MovableServer server = new(program);
await server.StartAsync();
using HostileListeners listeners = new();
Configuration configuration = Configurations.Laptop.V1() with
{
    RequestTimeout = TimeSpan.FromSeconds(2),
    MaxInFlightUnary = 50,
    MaxInFlightPipeline = 200,
    QueueLimit = 2_000,
};
CacheClient[] clients =
[
    .. ((Transport[])[Transport.Pipeline, Transport.Unary]).Select(transport => new CacheClient(
        configuration with
        {
            Transport = transport,
        },
        CredentialProvider.Local(port: server.Port),
        TimeSpan.FromSeconds(5),
        listeners)),
];
ConcurrentDictionary<string, int> outcomes = new();
List<long> heaps = [];
long calls = 0, end = Environment.TickCount64 + (long)(minutes * 60_000);
while (Environment.TickCount64 < end && faults.Count < 10)
{
    Task trouble = server.InjectFaultAsync(random);
    List<Task> pending = await new HostileCaller(random, clients, outcomes).RunAsync(TimeSpan.FromMilliseconds(1_000 + random.Next(2_000)));
    await trouble;
    calls += pending.Count;
    if (await Task.WhenAny(Task.WhenAll(pending), Task.Delay(SettledMs)) is Task first && pending.Exists(static call => !call.IsCompleted))
    {
        Fault($"calls hang {SettledMs} ms after their round ({first.Status})");
    }

    foreach (CacheClient client in clients)
    {
        await RestAsync(client);
    }

    heaps.Add(GC.GetTotalMemory(forceFullCollection: true));
    if (heaps.Count % 20 == 0)
    {
        Report();
    }
}

foreach (CacheClient client in clients)
{
    await client.DisposeAsync();
}

// Compares the minimum of the last third of the rounds with the minimum of the middle third. Memory that is in use after only some of the rounds therefore does
// not count as growth.
int third = heaps.Count / 3;
long growth = heaps.Count < 9 ? 0 : heaps[^third..].Min() - heaps[third..(2 * third)].Min();
if (growth > GrowthBytes)
{
    Fault($"the heap grew by {growth:N0} bytes");
}

Report();
Console.WriteLine($"heap: {growth / 1024:N0} KiB more at the end than in the middle (at most {GrowthBytes / 1024:N0})");
Console.WriteLine($"{(faults.Count == 0 ? "held" : "NOT HELD")}: {heaps.Count} rounds, {calls:N0} calls, {faults.Count} faults, seed {seed}");
return faults.Count == 0 ? 0 : 1;

// Waits until the client's calls succeed again, and no call has a permit or waits for one.
async Task RestAsync(CacheClient client)
{
    long begun = Environment.TickCount64;
    while (true)
    {
        CacheResult served = await client.Cache("cache").SetAsync("rest", "1");
        if (served is { IsSuccess: true } && (client.InFlight, client.Queued) == (0, 0))
        {
            return;
        }

        if (Environment.TickCount64 - begun > SettledMs)
        {
            Fault($"not at rest: {served}, {client.InFlight} permits, {client.Queued} queued");
            return;
        }

        await Task.Delay(20);
    }
}

void Fault(string text)
{
    faults.Add(text);
    Console.WriteLine($"FAULT {text}");
}

void Report()
{
    Console.WriteLine($"{heaps.Count} rounds, {calls:N0} calls, heap {heaps.LastOrDefault() / 1e6:F1} MB, server {string.Join(", ", server.FaultCounts)}");
    Console.WriteLine($"  {string.Join(", ", outcomes.OrderByDescending(static one => one.Value).Select(static one => $"{one.Key} {one.Value}"))}");
}

double Setting(string name, double otherwise)
{
    int at = Array.IndexOf(args, name);
    return at < 0 ? otherwise : double.Parse(args[at + 1], CultureInfo.InvariantCulture);
}
