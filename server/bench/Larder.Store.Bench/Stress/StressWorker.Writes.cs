namespace Larder.Store.Bench;

/// <summary>A worker's operations on its own keys.</summary>
internal sealed partial class StressWorker
{
    private void Write(int key)
    {
        UseKey(key);
        long ttlMs = _random.Next(4) == 0 ? 1 + _random.Next(5) : 1 + (long)Math.Pow(shared.Plan.MaxTtlMs, _random.NextDouble());
        switch (_random.Next(10))
        {
            case 0:
                Delete(key);
                break;
            case 1:
                UpdateTtl(key, ttlMs);
                break;
            case 2 or 3:
                CompareAndSet(key, ttlMs);
                break;
            case 4:
                SetAbsent(key, ttlMs);
                break;
            default:
                bool keepsLength = _own[key].Version != 0 && _random.Next(4) != 0;
                Store(key, keepsLength ? _own[key].Length : NewLength(), ttlMs, value =>
                {
                    Cache.Set(_key, value, ttlMs);
                    return true;
                });
                break;
        }
    }

    private void Delete(int key)
    {
        bool deleted = Cache.Delete(_key);
        if (!deleted)
        {
            CheckLost(key, "a delete");
        }

        Check(!deleted || _own[key].Version != 0, key, "deleted twice");
        _own[key] = default;
        Check(!Cache.Contains(_key), key, "there after it was deleted");
    }

    private void UpdateTtl(int key, long ttlMs)
    {
        long before = NowMs;
        TtlUpdateOutcome outcome = Cache.UpdateTtl(_key, (TtlUpdate)_random.Next(3), ttlMs);
        if (outcome == TtlUpdateOutcome.Set)
        {
            Check(_own[key].Version != 0, key, "has a TTL after it was deleted");
            _own[key] = _own[key] with { EarliestExpiryMs = before + ttlMs, LatestExpiryMs = NowMs + ttlMs };
        }
        else if (outcome == TtlUpdateOutcome.Missing)
        {
            CheckLost(key, "an update of its TTL");
        }
    }

    // Sets the key on the condition that its value equals an expected value. The expected value is the current value or a different one. The condition contains
    // this value or its hash.
    private void CompareAndSet(int key, long ttlMs)
    {
        Own own = _own[key];
        if (own.Version == 0)
        {
            return;
        }

        StressValue.Fill(_before, key, own.Version, own.Length);
        bool differs = _random.Next(4) == 0;
        _before[0] ^= differs ? (byte)1 : (byte)0;
        byte[]? hash = _random.Next(2) == 0 ? new byte[Cache.ValueHashBytes] : null;
        if (hash is not null)
        {
            Larder.Store.Cache.HashValue(_before.AsSpan(0, own.Length), hash);
        }

        bool stored = Store(key, _random.Next(2) == 0 ? own.Length : NewLength(), ttlMs, value =>
            Cache.SetIf(_key, value, ttlMs, hash is null ? SetCondition.Equal(_before.AsSpan(0, own.Length)) : SetCondition.PresentAndHashEqual(hash)));
        Check(!stored || !differs, key, "stored though another value was there");
        if (!stored && !differs)
        {
            CheckLost(key, "a set that compares");
        }
    }

    private void SetAbsent(int key, long ttlMs)
    {
        Own own = _own[key];
        long before = NowMs;
        bool stored = Store(key, NewLength(), ttlMs, value => Cache.SetIf(_key, value, ttlMs, SetCondition.Absent));
        Check(stored || (own.Version != 0 && before < own.LatestExpiryMs + ClockSlackMs), key, "not absent, though deleted or expired");
        Check(!stored || Evicts || own.Version == 0 || NowMs >= own.EarliestExpiryMs - ClockSlackMs, key, "stored as absent, though there");
    }

    private bool Store(int key, int length, long ttlMs, Storing store)
    {
        long version = Math.Max(_own[key].Version, shared.CompletedOf(key)) + 1;
        Span<byte> value = StressValue.Fill(_value, key, version, length);
        long before = NowMs;
        bool stored = store(value);
        if (stored)
        {
            Sets++;
            _own[key] = new Own(version, length, before + ttlMs, NowMs + ttlMs);
            shared.Complete(key, version);
        }

        return stored;
    }

    private int NewLength() =>
        StressValue.MinBytes + (_random.Next(3) == 0 ? _random.Next(shared.Plan.MaxValueBytes) : (_random.Next(5) * 8) + _random.Next(2));

    private delegate bool Storing(ReadOnlySpan<byte> value);
}
