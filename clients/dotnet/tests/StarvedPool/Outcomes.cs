using System.Collections.Concurrent;

namespace Larder.Client.Tests.Starved;

/// <summary>Counts the outcomes of blocking calls on many threads.</summary>
internal sealed class Outcomes
{
    // A call's deadline is about a second. This limit is longer, because other tests can keep the machine busy.
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(40);

    private readonly ConcurrentDictionary<string, int> _counts = new();

    /// <summary>Runs the call on each of several threads, and writes one line with the name and the outcomes.</summary>
    public static void Of(string name, int threads, params Func<string>[] calls)
    {
        Outcomes outcomes = new();
        Thread[] callers = [.. Enumerable.Range(0, threads).Select(_ => new Thread(() => outcomes.Run(calls)) { IsBackground = true })];
        foreach (Thread caller in callers)
        {
            caller.Start();
        }

        long end = Environment.TickCount64 + (long)s_limit.TotalMilliseconds;
        int unanswered = callers.Count(caller => !caller.Join((int)Math.Max(0, end - Environment.TickCount64)));
        IEnumerable<string> counts = outcomes._counts.Select(static pair => $"{pair.Value} {pair.Key}").Order(StringComparer.Ordinal);
        Console.WriteLine($"{name}: {unanswered} unanswered, {string.Join(", ", counts)}");
    }

    private void Run(Func<string>[] calls)
    {
        foreach (Func<string> call in calls)
        {
            string outcome;
            try
            {
                outcome = call();
            }
            catch (CacheException failed)
            {
                outcome = failed.Error.Code.ToString();
            }

            _counts.AddOrUpdate(outcome, 1, static (_, count) => count + 1);
        }
    }
}
