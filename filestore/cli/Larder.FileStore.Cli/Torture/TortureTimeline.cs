using System.Diagnostics;

namespace Larder.FileStore.Cli.Torture;

/// <summary>
/// Timestamped reports of the processes since the start of the previous event: openings, faults, and each file (id, generation, committed length, entries) that
/// a process switched to. The timeline is printed with the first violation, because a rare violation is hard to reproduce.
/// </summary>
internal sealed class TortureTimeline
{
    /// <summary>
    /// The maximum number of lines per event. This is enough for several seconds in which each of 16 processes switches files a few times per second.
    /// </summary>
    private const int MaxLines = 2000;
    private readonly long _start = Stopwatch.GetTimestamp();
    private List<string> _before = [];
    private List<string> _now = [];
    private bool _isPrinted;

    /// <summary>Begins the next event. Keeps the lines of the current event, and drops the lines of the event before it.</summary>
    internal void Begin(string what)
    {
        (_before, _now) = (_now, _before);
        _now.Clear();
        Add("event: " + what);
    }

    internal void Add(string what)
    {
        if (_now.Count < MaxLines)
        {
            _now.Add(string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Stopwatch.GetElapsedTime(_start).TotalSeconds,9:0.000} s {what}"));
        }
    }

    internal void PrintOnce()
    {
        if (!_isPrinted)
        {
            _isPrinted = true;
            Console.WriteLine("timeline until the first violation:");
            _before.ForEach(Console.WriteLine);
            _now.ForEach(Console.WriteLine);
            Console.WriteLine("end of the timeline");
        }
    }
}
