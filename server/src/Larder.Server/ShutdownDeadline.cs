using System.Runtime.InteropServices;

namespace Larder.Server;

/// <summary>
/// Ends the process when its shutdown takes too long, whatever holds it up: on a thread of its own, so that neither a full thread pool nor a log that nobody
/// reads keeps it. What it is told of as progress gives it as long again: a snapshot may take the disk minutes, and then moves on all the time. Disposed, it
/// does nothing.
/// </summary>
internal sealed partial class ShutdownDeadline : IDisposable
{
    private const int WasForced = 1;
    private readonly ManualResetEventSlim _isOver = new();
    private readonly Thread _thread;

    /// <param name="limit">How long the shutdown may take.</param>
    /// <param name="end">Ends the process.</param>
    /// <param name="progress">A number that changes while what takes long moves on; null where nothing does.</param>
    public ShutdownDeadline(TimeSpan limit, Action end, Func<long>? progress = null)
    {
        _thread = new Thread(() =>
        {
            long before = progress?.Invoke() ?? 0;
            while (!_isOver.Wait(limit))
            {
                long now = progress?.Invoke() ?? 0;
                if (now == before)
                {
                    end();
                    return;
                }

                before = now;
            }
        })
        {
            IsBackground = true,
            Name = "larder shutdown",
        };
        _thread.Start();
    }

    /// <summary>
    /// Under the five seconds that are promised, and over the four that calls under way are given. The rest is for the kernel, which takes the memory back.
    /// </summary>
    public static TimeSpan Limit => TimeSpan.FromSeconds(4.8);

    /// <summary>Ends the process at once, with nothing run before it: what hangs may be what an orderly end waits for.</summary>
    public static void EndProcess() => Exit(WasForced);

    public void Dispose()
    {
        _isOver.Set();
        _thread.Join();
        _isOver.Dispose();
    }

    [LibraryImport("libc", EntryPoint = "_exit")]
    private static partial void Exit(int code);
}
