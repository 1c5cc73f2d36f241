using System.Runtime.InteropServices;

namespace Larder.Server;

/// <summary>
/// Ends the process if its shutdown takes too long. Runs on a separate thread, so that neither a full thread pool nor a blocked log can delay it. When progress
/// is reported, the limit starts again, because writing a snapshot may take minutes. Disposing this object cancels the deadline.
/// </summary>
internal sealed partial class ShutdownDeadline : IDisposable
{
    private const int ForcedExitCode = 1;
    private readonly ManualResetEventSlim _isOver = new();
    private readonly Thread _thread;

    /// <param name="limit">The maximum time without progress.</param>
    /// <param name="end">Ends the process.</param>
    /// <param name="progress">Returns a number that changes while a long step makes progress; null if there are no such steps.</param>
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
    /// Gets the time limit. It is below the 5 s that the documentation guarantees, and above the 4 s that running calls get. The remaining time is for the
    /// kernel to release the memory.
    /// </summary>
    public static TimeSpan Limit => TimeSpan.FromSeconds(4.8);

    /// <summary>Ends the process immediately, without exit handlers, because an exit handler might wait for the step that blocks the shutdown.</summary>
    public static void EndProcess() => Exit(ForcedExitCode);

    public void Dispose()
    {
        _isOver.Set();
        _thread.Join();
        _isOver.Dispose();
    }

    [LibraryImport("libc", EntryPoint = "_exit")]
    private static partial void Exit(int code);
}
