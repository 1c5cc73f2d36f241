using System.Globalization;
using System.Runtime.InteropServices;
using Larder.Store.Bench;

// Benchmarks of the store. The first argument is the name of a table: speed, hits, gc, memory, full, latency, snapshot, quota, collections, model or stress.
// Without arguments, all tables except stress are run. The tables speed, memory and latency accept a second argument, and run only the rows whose name contains
// it.
string table = args.Length > 0 ? args[0] : "all";
string only = args.Length > 1 ? args[1] : "";
switch (table)
{
    case "child-gc":
        PauseTable.RunChild(args[1], int.Parse(args[2], CultureInfo.InvariantCulture));
        return 0;
    case "child-latency":
        LatencyTable.RunChild(args[1], int.Parse(args[2], CultureInfo.InvariantCulture));
        return 0;
    case "child-stress":
        StressTable.RunChild(BenchChild.Number(args[1]), int.Parse(args[2], CultureInfo.InvariantCulture));
        return 0;
    case "child-memory":
        MemoryTable.RunFilled(int.Parse(args[1], CultureInfo.InvariantCulture));
        return 0;
    case "child-collections":
        CollectionMemory.RunChild((int)BenchChild.Number(args[1]));
        return 0;
    case "child-overfill":
        MemoryTable.RunOverfill();
        return 0;
    case "child-churn":
        OverwriteTable.Run(int.Parse(args[1], CultureInfo.InvariantCulture));
        return 0;
}

bool whole = true;
(string Name, Action Print)[] tables =
[
    ("speed", () => SpeedTable.Print(only)),
    ("hits", HitRatioTable.Print),
    ("gc", PauseTable.Print),
    ("memory", () => MemoryTable.Print(only)),
    ("full", FullTable.Print),
    ("latency", () => LatencyTable.Print(only)),
    ("snapshot", SnapshotTable.Print),
    ("quota", QuotaTable.Print),
    ("collections", CollectionTable.Print),
    ("model", ModelRow.Print),
    ("stress", () => whole = StressTable.Print(args is [_, "--minutes", string minutes] ? minutes : "")),
];
if (table != "all" && tables.All(one => one.Name != table))
{
    Console.Error.WriteLine($"Unknown table '{table}': one of {string.Join(", ", tables.Select(one => one.Name))}, or none for all.");
    return 2;
}

Console.WriteLine(
    $"Larder store bench, {DateTime.UtcNow:yyyy-MM-dd HH:mm} UTC, {RuntimeInformation.FrameworkDescription}, {RuntimeInformation.OSDescription}, "
        + $"{Environment.ProcessorCount} processors ({MachineName()})");
Console.WriteLine($"Command: ./larder lab store {string.Join(' ', args)}");
foreach ((string name, Action print) in tables)
{
    if (table == name || (table == "all" && name != "stress"))
    {
        print();
    }
}

return whole ? 0 : 1;

static string MachineName() =>
    File.Exists("/proc/cpuinfo")
        ? File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(": ")[^1] ?? "unknown"
        : "unknown";
