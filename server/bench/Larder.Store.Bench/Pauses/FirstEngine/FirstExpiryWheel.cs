using System.Numerics;

namespace Larder.Store.Bench.FirstEngine;

/// <summary>
/// A hierarchical timing wheel. Entries are in buckets by expiry time: near times in fine buckets, and far times in coarse buckets. Therefore, expired entries
/// are found without visiting other entries. When a coarse bucket becomes due, its entries move to finer buckets.
/// </summary>
internal sealed class FirstExpiryWheel
{
    private const int BucketsPerLevel = 64;
    private const int LevelBits = 6;
    private const int Levels = 5;

    // A bucket of the finest level spans 128 ms. Its 64 buckets span 8 s. The next levels span 9 min, 9.3 h, 24.8 days and 4.3 years.
    private const int TickBits = 7;

    // The lists of the buckets that became due are joined here. Entries are removed from this list a few at a time.
    private const int DueBucket = Levels * BucketsPerLevel;

    private readonly FirstEntry?[] _heads = new FirstEntry?[DueBucket + 1];
    private readonly FirstEntry?[] _tails = new FirstEntry?[DueBucket + 1];
    private long _tick;

    public void Add(FirstEntry entry) => Link(entry, BucketOf(entry.ExpiresAtMs));

    public void Remove(FirstEntry entry)
    {
        int bucket = entry.WheelBucket;
        if (entry.WheelPrevious is { } previous)
        {
            previous.WheelNext = entry.WheelNext;
        }
        else
        {
            _heads[bucket] = entry.WheelNext;
        }

        if (entry.WheelNext is { } next)
        {
            next.WheelPrevious = entry.WheelPrevious;
        }
        else
        {
            _tails[bucket] = entry.WheelPrevious;
        }

        entry.WheelNext = entry.WheelPrevious = null;
        entry.WheelBucket = -1;
    }

    /// <summary>Removes and returns one expired entry. Returns null if no expired entry is found. Visits at most <paramref name="budget"/> entries.</summary>
    public FirstEntry? TakeExpired(long nowMs, ref int budget)
    {
        Advance(nowMs >> TickBits);
        while (budget > 0 && _heads[DueBucket] is { } entry)
        {
            budget--;
            Remove(entry);
            if (entry.ExpiresAtMs <= nowMs)
            {
                return entry;
            }

            Add(entry);
        }

        return null;
    }

    /// <summary>Throws if an entry is in a bucket where it would not be found in time.</summary>
    public int AssertValid()
    {
        int count = 0;
        for (int bucket = 0; bucket <= DueBucket; bucket++)
        {
            FirstEntry? previous = null;
            for (FirstEntry? entry = _heads[bucket]; entry is not null; previous = entry, entry = entry.WheelNext)
            {
                Invariant.Holds(entry.WheelBucket >= 0 && ReferenceEquals(entry.WheelPrevious, previous), "the wheel's links agree");
                count++;
            }

            Invariant.Holds(ReferenceEquals(_tails[bucket], previous), "the wheel's tail is its last entry");
        }

        return count;
    }

    private void Advance(long tick)
    {
        long before = _tick;
        if (tick == before)
        {
            return;
        }

        _tick = tick;
        for (int level = 0; level < Levels; level++)
        {
            int shift = level * LevelBits;
            long from = before >> shift;
            long passed = Math.Min((tick >> shift) - from, BucketsPerLevel);
            if (passed == 0)
            {
                return;
            }

            // A bucket is due at the start of the time that it spans. Entries that have not expired move to finer buckets.
            for (long i = 1; i <= passed; i++)
            {
                MakeDue((level * BucketsPerLevel) + (int)((from + i) & (BucketsPerLevel - 1)));
            }
        }
    }

    private void MakeDue(int bucket)
    {
        if (_heads[bucket] is not { } first)
        {
            return;
        }

        FirstEntry last = _tails[bucket]!;
        for (FirstEntry? entry = first; entry is not null; entry = entry.WheelNext)
        {
            entry.WheelBucket = DueBucket;
        }

        _heads[bucket] = _tails[bucket] = null;
        first.WheelPrevious = _tails[DueBucket];
        if (_tails[DueBucket] is { } tail)
        {
            tail.WheelNext = first;
        }
        else
        {
            _heads[DueBucket] = first;
        }

        _tails[DueBucket] = last;
    }

    private int BucketOf(long expiresAtMs)
    {
        // Add one tick, so that the tick in which the last entry of a bucket expires has ended when the bucket becomes due. All entries of the bucket have then
        // expired.
        long due = Math.Max((expiresAtMs >> TickBits) + 1, _tick + 1);
        long distance = due - _tick;
        int level = Math.Min(BitOperations.Log2((ulong)distance) / LevelBits, Levels - 1);
        long slot = due >> (level * LevelBits);
        return (level * BucketsPerLevel) + (int)(slot & (BucketsPerLevel - 1));
    }

    private void Link(FirstEntry entry, int bucket)
    {
        entry.WheelBucket = bucket;
        entry.WheelPrevious = _tails[bucket];
        entry.WheelNext = null;
        if (_tails[bucket] is { } tail)
        {
            tail.WheelNext = entry;
        }
        else
        {
            _heads[bucket] = entry;
        }

        _tails[bucket] = entry;
    }
}
