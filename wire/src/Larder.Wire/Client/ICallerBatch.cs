namespace Larder.Wire;

/// <summary>The callers whose calls completed in one read of a connection. They are resumed one after another when the next read has been started.</summary>
public interface ICallerBatch
{
    /// <summary>
    /// Adds a caller. Its <see cref="IThreadPoolWorkItem.Execute"/> runs application code. If this code blocks or runs for a long time, the other callers
    /// continue on another thread.
    /// </summary>
    void Add(IThreadPoolWorkItem caller);

    /// <summary>
    /// Sets the number of calls that are still active. If nearly all calls have completed and the batch is large, the new requests of the first half
    /// of the callers are sent before the second half is resumed. The server can then process one half while this side processes the other.
    /// </summary>
    void Split(int underWay);
}
