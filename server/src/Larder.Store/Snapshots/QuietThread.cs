using System.Runtime.InteropServices;

namespace Larder.Store.Snapshots;

/// <summary>A low-priority thread for long background work, so that threads that serve callers run first when all processors are busy.</summary>
public static partial class QuietThread
{
    // The nice value, in the range -20 to 19. If a thread that serves callers needs the same processor, this thread gets a tenth of the time. If the processor
    // is idle, this thread gets all of the time.
    private const int Niceness = 10;

    // The number 0 means "this process". On Linux, the priority then applies only to the calling thread.
    private const int OfProcess = 0;

    /// <summary>Runs a function on a new low-priority thread.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="work">The function.</param>
    /// <returns>A task that completes with the result or exception of the function.</returns>
    public static Task<T> RunAsync<T>(string name, Func<T> work)
    {
        ArgumentNullException.ThrowIfNull(work);
        TaskCompletionSource<T> done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Thread thread = new(() => Run(work, done)) { IsBackground = true, Name = name };
        thread.Start();
        return done.Task;
    }

    private static void Run<T>(Func<T> work, TaskCompletionSource<T> done)
    {
        if (OperatingSystem.IsLinux())
        {
            _ = SetPriority(OfProcess, 0, Niceness);
        }

        try
        {
            done.SetResult(work());
        }
#pragma warning disable CA1031 // Not swallowed: the task propagates it.
        catch (Exception error)
#pragma warning restore CA1031
        {
            done.SetException(error);
        }
    }

    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, int who, int niceness);
}
