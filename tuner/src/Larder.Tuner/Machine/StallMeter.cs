using System.Diagnostics;
using System.Runtime.InteropServices;
using Larder.Agent;
using Larder.Report.Runs;

namespace Larder.Tuner.Machine;

/// <summary>
/// Measures stalls of the machine. A thread with the highest available priority wakes each millisecond and records how late it is. Any other thread may have
/// been delayed by the same time. The meter runs until it is disposed. <see cref="Read"/> returns the results so far.
/// </summary>
internal sealed partial class StallMeter : IDisposable
{
    /// <summary>The time in seconds for which the effect of a stall may continue.</summary>
    private const double CarriesOver = 0.1;

    private const int Fifo = 1;
    private const int ThreadOfCaller = 0;
    private const int ThreadCpuTime = 3;
    private static readonly int s_lowestOfFifo = 1;
    private static readonly TimeSpan s_every = TimeSpan.FromMilliseconds(1);

    // The nice values, in the order in which they are tried. The rights of the user determine which values are permitted.
    private static readonly int[] s_niceValues = [-20, -15, -10, -5];

    private readonly Lock _lock = new();
    private readonly LoadHistogram _late = new();
    private readonly List<(long Until, TimeSpan Length)> _stalls = [];
    private readonly long _begun = Stopwatch.GetTimestamp();
    private readonly Thread _thread;
    private long _cpuNs;
    private volatile bool _isOver;
    private volatile bool _isAboveLoad;

    public StallMeter()
    {
        _thread = new Thread(Watch) { IsBackground = true, Name = "stall meter", Priority = ThreadPriority.Highest };
        _thread.Start();
    }

    /// <summary>Returns the results since the start.</summary>
    public StallReading Read()
    {
        var late = new LoadHistogram();
        lock (_lock)
        {
            late.Add(_late);
            return new StallReading(Stopwatch.GetElapsedTime(_begun).TotalSeconds, late, StolenSeconds(), _cpuNs / 1e9);
        }
    }

    /// <summary>
    /// Returns the stalls of at least 1 ms that ended between two timestamps of <see cref="Stopwatch"/>, in order. Their times are in seconds after
    /// <paramref name="begun"/>. A stall that ended up to 0.1 s before is included with negative times, because its effect may continue. Empty if the user may
    /// not raise the priority of the meter's thread, because the load itself then delays the meter.
    /// </summary>
    public IReadOnlyList<StallPeriod> Between(long begun, long ended)
    {
        lock (_lock)
        {
            return
            [
                .. from stall in _stalls
                   let until = (double)(stall.Until - begun) / Stopwatch.Frequency
                   where _isAboveLoad && until > -CarriesOver && stall.Until <= ended
                   select new StallPeriod(until - stall.Length.TotalSeconds, until),
            ];
        }
    }

    public void Dispose()
    {
        _isOver = true;
        _thread.Join();
    }

    private void Watch()
    {
        _isAboveLoad = RaisePriority();
        while (!_isOver)
        {
            long asked = Stopwatch.GetTimestamp();
            PreciseSleep.For(s_every);
            TimeSpan late = Stopwatch.GetElapsedTime(asked) - s_every;
            lock (_lock)
            {
                _late.Record((long)late.TotalNanoseconds);
                if (late.TotalNanoseconds >= MachineStalls.ShortNs)
                {
                    _stalls.Add((asked + (long)((late + s_every).TotalSeconds * Stopwatch.Frequency), late));
                }

                _cpuNs = CpuNs();
            }
        }
    }

    /// <summary>
    /// Uses real-time priority or, if that is not permitted, the lowest permitted nice value. Returns whether either was permitted.
    /// </summary>
    private static bool RaisePriority() =>
        OperatingSystem.IsLinux()
        && (SetScheduler(ThreadOfCaller, Fifo, in s_lowestOfFifo) == 0 || Array.Exists(s_niceValues, nice => SetPriority(0, ThreadOfCaller, nice) == 0));

    private static double StolenSeconds() => File.Exists("/proc/stat") ? ProcStat.Machine(File.ReadAllText("/proc/stat")).StolenSeconds : 0;

    private static long CpuNs() => OperatingSystem.IsLinux() && ClockGetTime(ThreadCpuTime, out TimeSpec time) == 0
        ? ((long)time.Seconds * 1_000_000_000) + time.Nanoseconds
        : 0;

    [LibraryImport("libc", EntryPoint = "sched_setscheduler")]
    private static partial int SetScheduler(int pid, int policy, in int priority);

    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, int who, int nice);

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
