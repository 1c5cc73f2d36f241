// A thousand callers in four processes request one missing key, whose value takes 200 ms to load. Measures the number of loads, and the time until all callers
// have the value. Prints medians of five rounds.
// Usage: ./larder lab stampede --client dotnet. The output is a table.
using System.Diagnostics;
using System.Globalization;
using Larder.Harness.Servers;
using Larder.Stampede;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
if (args is [string mode, string endpoint])
{
    await Caller.RunAsync(mode, new Uri(endpoint));
    return;
}

const int Processes = 4;
const int Rounds = 5;

await using ServerProcess server = await ServerProcess.StartAsync();
Console.WriteLine("| 1,000 callers in four processes, a load of 200 ms | loads | ms until all have it |\n|---|---|---|");
foreach (string each in Caller.Modes)
{
    Process[] processes = [.. Enumerable.Range(0, Processes).Select(_ => Start(each, server.Endpoint))];
    await Task.WhenAll(processes.Select(static process => process.StandardOutput.ReadLineAsync()));
    int[] loads = new int[Rounds];
    double[] tookMs = new double[Rounds];
    for (int round = 0; round < Rounds; round++)
    {
        long begun = Stopwatch.GetTimestamp();
        foreach (Process process in processes)
        {
            await process.StandardInput.WriteLineAsync($"cold-{each}-{round}");
            await process.StandardInput.FlushAsync();
        }

        string?[] lines = await Task.WhenAll(processes.Select(static process => process.StandardOutput.ReadLineAsync()));
        loads[round] = lines.Sum(static line => int.Parse(line!, CultureInfo.InvariantCulture));
        tookMs[round] = Stopwatch.GetElapsedTime(begun).TotalMilliseconds;
    }

    foreach (Process process in processes)
    {
        process.StandardInput.Close();
        await process.WaitForExitAsync();
        process.Dispose();
    }

    Array.Sort(loads);
    Array.Sort(tookMs);
    Console.WriteLine($"| {each} | {loads[Rounds / 2]} | {tookMs[Rounds / 2]:N0} |");
}

static Process Start(string mode, Uri endpoint) => Process.Start(new ProcessStartInfo("dotnet", [typeof(Caller).Assembly.Location, mode, $"{endpoint}"])
{
    RedirectStandardInput = true,
    RedirectStandardOutput = true,
})!;
