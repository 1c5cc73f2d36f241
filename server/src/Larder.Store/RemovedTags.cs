using System.Collections.Concurrent;

namespace Larder.Store;

/// <summary>
/// The tags of one cache that were removed, and when: removals are numbered, and what was made before the last removal of one of its tags is no longer
/// there. So removing costs the same whatever has the tag. Safe from any thread.
/// </summary>
/// <remarks>
/// Remembered are <see cref="MaxRemembered"/> tags of a store, and of each cache <see cref="AlwaysRemembered"/>. A cache that would need more forgets
/// its own, and with them everything of it that has a tag and was made before.
/// </remarks>
internal sealed class RemovedTags(RemovedTagsRoom room)
{
    /// <summary>Tags that are remembered of all caches of a store together.</summary>
    public const int MaxRemembered = 262_144;

    /// <summary>Tags that a cache may remember though others remember the most.</summary>
    public const int AlwaysRemembered = 64;

    private readonly Lock _gate = new();
    private volatile ConcurrentDictionary<ulong, long> _removedIn = new();
    private int _count;
    private long _last;
    private long _allBefore;

    /// <summary>The number of the last removal.</summary>
    public long Now => Volatile.Read(ref _last);

    /// <summary>What has one of the tags and is there is there no more.</summary>
    public void Remove(ReadOnlySpan<ulong> tags)
    {
        lock (_gate)
        {
            long number = _last + 1;
            foreach (ulong tag in tags)
            {
                if (!_removedIn.ContainsKey(tag))
                {
                    while (!room.TryTake(_count))
                    {
                        ForgetAll(number);
                    }

                    _count++;
                }

                _removedIn[tag] = number;
            }

            // A value whose making begins after this has it behind it; one that began before is older than the tag's removal.
            Volatile.Write(ref _last, number);
        }
    }

    /// <summary>Whether what was made then, with these tags, was removed since.</summary>
    public bool HaveRemoved(long madeIn, ReadOnlySpan<ulong> tags)
    {
        if (tags.IsEmpty)
        {
            return false;
        }

        // In this order: who forgets does so in the other.
        ConcurrentDictionary<ulong, long> removedIn = _removedIn;
        foreach (ulong tag in tags)
        {
            if (removedIn.TryGetValue(tag, out long number) && number > madeIn)
            {
                return true;
            }
        }

        return Volatile.Read(ref _allBefore) > madeIn;
    }

    /// <summary>Gives back the room of a cache that is deleted.</summary>
    public void Forget()
    {
        lock (_gate)
        {
            ForgetAll(_last + 1);
        }
    }

    private void ForgetAll(long number)
    {
        Volatile.Write(ref _allBefore, number);
        room.GiveBack(_count);
        _count = 0;
        _removedIn = new ConcurrentDictionary<ulong, long>();
    }
}
