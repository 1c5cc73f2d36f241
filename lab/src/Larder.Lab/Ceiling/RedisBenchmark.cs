using System.Globalization;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Lab.Ceiling;

/// <summary>Runs <c>redis-benchmark</c> on one connection. It sends a batch of commands, waits for all responses, and then sends the next batch.</summary>
internal sealed class RedisBenchmark(int port, int pipelined, int valueBytes, int keys)
{
    private const long FirstRequests = 20_000;

    private long _requests = FirstRequests;

    /// <summary>
    /// Returns the calls per second of a load of half gets and half sets. The program measures gets and sets separately. Both measurements together take about
    /// <paramref name="seconds"/> seconds.
    /// </summary>
    /// <exception cref="Harness.HarnessException">The program is not installed, or failed.</exception>
    public async Task<double> RunAsync(double seconds)
    {
        string said = await SayAsync().ConfigureAwait(false);
        double rate = HalfAndHalf(said);
        // The program has no option for a duration, only for a number of commands. The first run shows how many commands it runs in the requested time.
        long wanted = Math.Max(FirstRequests, (long)(rate * seconds / 2));
        if (_requests < wanted / 2)
        {
            _requests = wanted;
            rate = HalfAndHalf(await SayAsync().ConfigureAwait(false));
        }

        return rate;
    }

    /// <summary>Computes the rate of a load of half gets and half sets from the program's CSV, as if gets and sets were run one after the other.</summary>
    /// <exception cref="TunerException">The CSV does not contain both rates.</exception>
    public static double HalfAndHalf(string csv)
    {
        Dictionary<string, double> rates = [];
        foreach (string line in csv.Split('\n'))
        {
            string[] cells = line.Trim().Split(',');
            if (cells.Length > 1 && double.TryParse(cells[1].Trim('"'), NumberStyles.Float, CultureInfo.InvariantCulture, out double rate) && rate > 0)
            {
                rates[cells[0].Trim('"')] = rate;
            }
        }

        return rates.TryGetValue("GET", out double gets) && rates.TryGetValue("SET", out double sets)
            ? 2 / ((1 / gets) + (1 / sets))
            : throw new TunerException($"redis-benchmark did not report gets and sets: {csv}");
    }

    private async Task<string> SayAsync()
    {
        string[] words =
        [
            "-h", "127.0.0.1", "-p", Text(port), "-c", "1", "-P", Text(pipelined), "-n", Text(_requests), "-d", Text(valueBytes), "-r", Text(keys),
            "-t", "set,get", "--csv",
        ];
        ProgramRun run = await ProgramRun.OfAsync(new ProgramCommand("redis-benchmark", "redis-benchmark", words), patience: TimeSpan.FromMinutes(2))
            .ConfigureAwait(false);
        return run.Require("redis-benchmark");
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
