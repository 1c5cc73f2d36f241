using Larder.Client;

namespace Larder.Agent;

/// <summary>The calls of a <c>near</c> run. The result of each call is checked and recorded. The methods return true if the call did not fail.</summary>
internal static class NearCalls
{
    /// <summary>Gets a value. The client may return its copy from the near cache without a call to the server.</summary>
    public static async ValueTask<bool> GetAsync(NearRun run, int key)
    {
        (int floor, long began) = (run.Check.Floor(key), NearRun.NowNs());
        switch (await run.Cache.GetAsync(run.Key(key)).ConfigureAwait(false))
        {
            case { IsHit: true } hit: run.Read(key, floor, began, false, hit.Value.Span, true); return true;
            case { IsMiss: true }: run.Read(key, floor, began, false, default, false); return true;
            case { Error: { } error }: run.Failed(error.Code); return false;
            default: return true;
        }
    }

    /// <summary>Reads a key from the near cache, without a call to the server. Returns false if the near cache does not contain the key.</summary>
    public static bool TryGetNear(NearRun run, int key)
    {
        (int floor, long began) = (run.Check.Floor(key), NearRun.NowNs());
        if (!run.Cache.TryGetNear(run.Key(key), out CacheValue value))
        {
            return false;
        }

        run.Read(key, floor, began, false, value.Span, true);
        return true;
    }

    /// <summary>Makes a read that bypasses the near cache.</summary>
    public static async ValueTask<bool> GetWithHashAsync(NearRun run, int key)
    {
        (int floor, long began) = (run.Check.Floor(key), NearRun.NowNs());
        switch (await run.Cache.GetWithHashAsync(run.Key(key)).ConfigureAwait(false))
        {
            case { IsHit: true } hit: run.Read(key, floor, began, true, hit.Value.Value.Span, true); return true;
            case { IsMiss: true }: run.Read(key, floor, began, true, default, false); return true;
            case { Error: { } error }: run.Failed(error.Code); return false;
            default: return true;
        }
    }

    /// <summary>Makes a read of several keys that bypasses the near cache.</summary>
    public static async ValueTask<bool> GetBatchAsync(NearRun run, int[] keys)
    {
        int[] floors = [.. keys.Select(run.Check.Floor)];
        long began = NearRun.NowNs();
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> response =
            await run.Cache.GetBatchAsync([.. keys.Select(key => (CacheBytes)run.Key(key))]).ConfigureAwait(false);
        if (!response.IsSuccess)
        {
            run.Failed(response.Error!.Code);
            return false;
        }

        bool isWhole = true;
        for (int i = 0; i < keys.Length; i++)
        {
            switch (response.Value[i])
            {
                case { IsHit: true } hit: run.Read(keys[i], floors[i], began, true, hit.Value.Span, true); break;
                case { IsMiss: true }: run.Read(keys[i], floors[i], began, true, default, false); break;
                case { Error: { } error }: run.Failed(error.Code); isWhole = false; break;
            }
        }

        return isWhole;
    }

    /// <summary>Sets or deletes the next version of a key. Returns null if the key may not be written now.</summary>
    public static async ValueTask<bool?> WriteAsync(NearRun run, int key, bool withHash)
    {
        int version = run.Writes.TryBegin(key, NearRun.NowNs());
        if (version == 0)
        {
            return null;
        }

        CacheErrorCode? failed = run.Check.IsDelete(version)
            ? (await run.Cache.DeleteAsync(run.Key(key)).ConfigureAwait(false)).Error?.Code
            : withHash
            ? (await run.Cache.SetWithHashAsync(run.Key(key), Value(run, key, version), run.Settings.TtlOf(key)).ConfigureAwait(false)).Error?.Code
            : (await run.Cache.SetAsync(run.Key(key), Value(run, key, version), run.Settings.TtlOf(key)).ConfigureAwait(false)).Error?.Code;
        return Ended(run, key, version, failed);
    }

    /// <summary>
    /// Writes the next version of each key that may be written now: the sets as one batch, and the deletes one after the other. Returns the number of versions
    /// that were written.
    /// </summary>
    public static async Task<int> SetBatchAsync(NearRun run, ReadOnlyMemory<int> keys)
    {
        List<(int Key, int Version)> taken = [];
        int stored = 0;
        for (int i = 0; i < keys.Length; i++)
        {
            int key = keys.Span[i];
            if (run.Check.IsDelete(run.Writes.Issued(key) + 1))
            {
                stored += await WriteAsync(run, key, withHash: false).ConfigureAwait(false) == true ? 1 : 0;
            }
            else if (run.Writes.TryBegin(key, NearRun.NowNs()) is > 0 and int version)
            {
                taken.Add((key, version));
            }
        }

        return stored + (taken.Count == 0 ? 0 : await SetTakenAsync(run, taken).ConfigureAwait(false));
    }

    private static async Task<int> SetTakenAsync(NearRun run, List<(int Key, int Version)> taken)
    {
        SetBatchItem[] items = [.. taken.Select(each =>
            new SetBatchItem(run.Key(each.Key), Value(run, each.Key, each.Version), run.Settings.TtlOf(each.Key)))];
        CacheResult<IReadOnlyList<CacheResult>> response = await run.Cache.SetBatchAsync(items).ConfigureAwait(false);
        int stored = 0;
        for (int i = 0; i < taken.Count; i++)
        {
            CacheErrorCode? failed = response.IsSuccess
                ? response.Value[i].Error?.Code
                : response.Error!.Code;
            stored += Ended(run, taken[i].Key, taken[i].Version, failed) ? 1 : 0;
        }

        return stored;
    }

    private static bool Ended(NearRun run, int key, int version, CacheErrorCode? failed)
    {
        if (failed is { } code)
        {
            run.WriteFailed(key, version, code);
            return false;
        }

        run.Wrote(key, version);
        return true;
    }

    private static byte[] Value(NearRun run, int key, int version) => NearValue.Of(key, version, run.Settings.ValueBytes);
}
