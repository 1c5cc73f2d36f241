// Measures stale reads: one process removes 10,000 keys, 100 at a time, and another process that has copies of their values reads them at once.
// Usage: ./larder lab staleness. The output is a table.
using System.Diagnostics;
using System.Globalization;
using Larder.Harness.Servers;
using Larder.Staleness;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
if (args is [string mode, string endpoint])
{
    await Node.RunReaderAsync(mode, new Uri(endpoint));
    return;
}

const int Removals = 10_000;
int rounds = Removals / Node.KeysPerRound;
await using ServerProcess server = await ServerProcess.StartAsync();
Console.WriteLine("10,000 removals in one process, read by another that has copies\n");
Console.WriteLine("| | stale at the first read | stale after 50 ms | p99 of a round, ms until all are current |");
Console.WriteLine("|---|---:|---:|---:|");
foreach (string each in (string[])[Node.Coherent, Node.Default])
{
    await using Node writer = new(each, server.Endpoint);
    using Process reader = Process.Start(new ProcessStartInfo("dotnet", [typeof(Node).Assembly.Location, each, $"{server.Endpoint}"])
    {
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
    })!;
    await reader.StandardOutput.ReadLineAsync();
    int first = 0;
    int after = 0;
    double[] lastMs = new double[rounds];
    await writer.RemoveAsync();
    for (int round = 0; round < rounds; round++)
    {
        await AskAsync(reader, $"copy {round}");
        await writer.RemoveAsync();
        string[] counts = (await AskAsync(reader, $"check {round + 1}")).Split(' ');
        first += int.Parse(counts[0]);
        after += int.Parse(counts[1]);
        lastMs[round] = double.Parse(counts[2]);

        // The copies of the default HybridCache are still stale. The reading process removes them, so that the next round starts without copies.
        await AskAsync(reader, "clear 0");
        await writer.RemoveAsync();
    }

    reader.StandardInput.Close();
    await reader.WaitForExitAsync();
    Array.Sort(lastMs);
    string p99 = after > 0 ? "more than 50" : $"{lastMs[(rounds * 99 / 100) - 1]:N1}";
    Console.WriteLine($"| {each} | {first:N0} | {after:N0} | {p99} |");
}

static async Task<string> AskAsync(Process reader, string command)
{
    await reader.StandardInput.WriteLineAsync(command);
    await reader.StandardInput.FlushAsync();
    return await reader.StandardOutput.ReadLineAsync() ?? throw new InvalidOperationException("The reading process has ended.");
}
