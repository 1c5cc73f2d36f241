using System.Runtime.InteropServices;

namespace Larder.Store.Snapshots;

/// <summary>A low-priority thread for long background work, so that serving threads run first when processors are scarce.</summary>
public static partial class QuietThread
{
    // Nice value, of -20 to 19. If a serving thread wants the same processor, this thread gets a tenth of its time; an idle processor it gets completely.
    private const int Niceness = 10;

    // On Linux, "this process" by number 0 means the calling thread.
    private const int OfProcess = 0;

    /// <summary>Runs a function on its own low-priority thread.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="work">The function.</param>
    /// <returns>A task with its result or exception.</returns>
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
