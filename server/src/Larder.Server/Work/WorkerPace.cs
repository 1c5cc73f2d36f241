using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Work;

/// <summary>
/// Controls the execution of a call on a worker. The call yields to other calls between its steps, and ends early if no client waits for its result.
/// </summary>
internal sealed class WorkerPace(WorkThread thread, IWorkWaiter waiter) : CallPace
{
    public override bool Step()
    {
        thread.Yield();
        return waiter.IsWaiting;
    }

    public override bool Wait(int milliseconds)
    {
        // The call waits for another call, which may need a worker slot to finish. Sleep releases the slot of this call.
        thread.Sleep(milliseconds);
        return waiter.IsWaiting;
    }

    /// <summary>Runs calls on the current worker thread.</summary>
    public static T Run<T>(IWorkWaiter waiter, Func<T> calls)
    {
        Current = new WorkerPace(WorkThread.Current!, waiter);
        try
        {
            return calls();
        }
        finally
        {
            Current = null;
        }
    }
}
