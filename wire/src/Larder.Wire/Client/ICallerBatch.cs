namespace Larder.Wire;

/// <summary>Those whom one read of a connection answers. They are woken one after the other once the next read has begun.</summary>
public interface ICallerBatch
{
    /// <summary>
    /// Adds one. Its <see cref="IThreadPoolWorkItem.Execute"/> runs the caller's own code, which may take long or block: the others then go on elsewhere.
    /// </summary>
    void Add(IThreadPoolWorkItem caller);

    /// <summary>
    /// Says how many calls are still under way. Where nearly all are answered here and few are not, what the first half of the callers asks next leaves before
    /// the second half is woken: from then on the server works on the one half while this side works on the other.
    /// </summary>
    void Split(int underWay);
}
