namespace Larder.Store;

/// <summary>Counts the removed tags that all caches of a store remember.</summary>
internal sealed class RemovedTagsRoom
{
    private long _taken;

    /// <summary>Tags that are remembered.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Takes room for one more.</summary>
    /// <param name="own">How many the cache that asks has already.</param>
    public bool TryTake(int own)
    {
        if (Interlocked.Increment(ref _taken) <= RemovedTags.MaxRemembered || own < RemovedTags.AlwaysRemembered)
        {
            return true;
        }

        Interlocked.Decrement(ref _taken);
        return false;
    }

    /// <summary>Gives room back.</summary>
    public void GiveBack(int tags) => Interlocked.Add(ref _taken, -tags);
}
