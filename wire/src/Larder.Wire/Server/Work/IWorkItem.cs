namespace Larder.Wire;

/// <summary>Work that a <see cref="WorkScheduler"/> runs on a worker thread.</summary>
internal interface IWorkItem
{
    /// <summary>
    /// Runs the work on a worker thread. It must not throw. Work that takes longer than <see cref="WorkScheduler.Slice"/> must call
    /// <see cref="WorkThread.Yield"/> from time to time.
    /// </summary>
    void Run();
}
