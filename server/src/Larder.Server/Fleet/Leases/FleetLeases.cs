using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Larder.Redis;
using Larder.Server.Leases;

namespace Larder.Server.Fleet;

/// <summary>Leases, stale values and tags in the cluster (FLEET-19).</summary>
/// <param name="store">The cluster.</param>
/// <param name="directory">The directory of caches.</param>
internal sealed class FleetLeases(RedisStore store, FleetDirectory directory)
{
    // Callers with the same change of the same cache share it.
    private readonly ConcurrentDictionary<(string Cache, DirectoryChange Change), SharedRun> _changes = new();

    /// <summary>Records in the directory that the cache has leases or tags, unless already recorded, and waits until all live gateways have read it.</summary>
    /// <exception cref="FleetQueryException">The cluster does not respond.</exception>
    public Task RequireAsync(RemoteCache cache, CacheUse use) =>
        cache.Use >= use ? Task.CompletedTask : ChangeAsync(cache, use == CacheUse.Tags ? DirectoryChange.Tag : DirectoryChange.Lease);

    /// <summary>Reads an item, and takes the lease of its key if the item is missing and no caller has the lease.</summary>
    /// <param name="cache">The cache.</param>
    /// <param name="fields">The request.</param>
    /// <param name="deadline">The deadline, as a timestamp of the server's clock.</param>
    /// <param name="cancelled">Is cancelled when the caller no longer waits.</param>
    /// <returns>What was found, and the token of the lease; empty if another caller has it.</returns>
    /// <exception cref="FleetQueryException">The cluster does not respond, or the item is a collection.</exception>
    public async Task<(LeaseReply Found, byte[] Token)> GetAsync(
        RemoteCache cache,
        GetOrLeaseFields fields,
        long deadline,
        CancellationToken cancelled)
    {
        byte[] token = [];
        while (true)
        {
            cancelled.ThrowIfCancellationRequested();
            LeaseReply found = await AskAsync(cache, fields, token, deadline).ConfigureAwait(false);
            if (found.Tags.Length > 0 && !await AreValidAsync(cache, found.Number, found.Tags, deadline).ConfigureAwait(false))
            {
                await DropAsync(cache, fields.Key, found.Number, found.Tags, deadline).ConfigureAwait(false);
                continue;
            }

            // A negative remaining time means that the lease is free.
            if (found.Kind == LeaseReplyKind.Hit || found.IsMine || found.LeftMs >= 0)
            {
                return (found, found.IsMine ? token : []);
            }

            token = LeaseToken.Create(await ReadNumberAsync(cache, deadline).ConfigureAwait(false));
        }
    }

    /// <summary>Stores a value with its stale time and its tags. Returns false if the caller no longer has the lease.</summary>
    /// <param name="cache">The cache.</param>
    /// <param name="request">The request; <see cref="SetWithLeaseFields"/> reads it.</param>
    /// <param name="tags">The hashes of the tags.</param>
    /// <param name="deadline">The deadline, as a timestamp of the server's clock.</param>
    /// <exception cref="FleetQueryException">The cluster does not respond.</exception>
    public async Task<bool> SetAsync(RemoteCache cache, ReadOnlyMemory<byte> request, ulong[] tags, long deadline)
    {
        SetWithLeaseFields.Decode(request.Span, out SetWithLeaseFields fields);
        bool hasToken = !fields.Token.IsEmpty;
        if (hasToken && !LeaseToken.IsValid(fields.Token))
        {
            return false;
        }

        byte[] key = fields.Key.ToArray();
        byte[] packed = MemoryMarshal.AsBytes(tags.AsSpan()).ToArray();
        long number = hasToken ? LeaseToken.NumberOf(fields.Token) : 0;
        if (tags.Length > 0 && !hasToken)
        {
            number = await BeforeAsync(ReadNumberAsync(cache, deadline)).ConfigureAwait(false);
        }

        FleetQuery<long> query = new(static (ref RespReader reply) => reply.Integer);
        BeginSet(query, cache, request.Span, packed, number);
        query.Deadline = deadline;
        bool isStored = await query.SendAsync(store).ConfigureAwait(false) == 1;
        if (isStored && tags.Length > 0)
        {
            // A tag may have been removed during the load. The value is then deleted, so that also copies of it become invalid.
            await AfterAsync(DropIfInvalidAsync(cache, key, LeaseToken.Text(number), packed, deadline)).ConfigureAwait(false);
        }

        return isStored;
    }

    /// <summary>Releases a lease, if the token is that of the lease. Returns whether it was.</summary>
    /// <exception cref="FleetQueryException">The cluster does not respond.</exception>
    public async Task<bool> ReleaseAsync(RemoteCache cache, ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> token, long deadline)
    {
        if (!LeaseToken.IsValid(token.Span))
        {
            return false;
        }

        FleetQuery<long> query = new(static (ref RespReader reply) => reply.Integer);
        query.BeginScript(FleetScripts.LeaseRelease, 1, 1);
        query.AddLease(cache, key.Span, KeySlot.Of(cache.Prefix, key.Span));
        query.Add(token.Span);
        query.IsIdempotent = true;
        query.Deadline = deadline;
        return await query.SendAsync(store).ConfigureAwait(false) == 1;
    }

    /// <summary>Releases a lease whose caller does not get it. Does not wait longer than a second, and does not throw.</summary>
    public async Task ReleaseUnheardAsync(RemoteCache cache, byte[] key, byte[] token)
    {
        try
        {
            await ReleaseAsync(cache, key, token, directory.EndOfQuery()).ConfigureAwait(false);
        }
        catch (FleetQueryException)
        {
            // The lease expires by itself.
        }
    }

    /// <summary>Invalidates all items of the cache that have one of the tags, and all near copies of the cache.</summary>
    /// <exception cref="FleetQueryException">The cluster does not respond.</exception>
    public async Task RemoveAsync(RemoteCache cache, ulong[] tags, long deadline)
    {
        FleetQuery<long> query = new(static (ref RespReader reply) => reply.Integer);
        query.BeginScript(FleetScripts.TagsRemove, 2, 1 + tags.Length);
        query.AddNumbers(cache);
        query.AddRemovedTags(cache);
        query.Add(FleetLimits.MaxRemovedTags);
        foreach (ulong tag in tags)
        {
            query.Add(MemoryMarshal.AsBytes(new ReadOnlySpan<ulong>(in tag)));
        }

        query.IsIdempotent = true;
        query.Deadline = deadline;
        await query.SendAsync(store).ConfigureAwait(false);

        // The cache is looked up now, because another gateway may have stored its first item with tags in the meantime.
        if (directory.Find(cache.Name) is { Use: CacheUse.Tags } now)
        {
            await AfterAsync(ChangeAsync(now, DirectoryChange.Untag)).ConfigureAwait(false);
        }
    }

    // Waits for a command that follows the first command that has changed something. If it fails, the call may have been executed.
    private static async Task AfterAsync(Task command)
    {
        try
        {
            await command.ConfigureAwait(false);
        }
        catch (FleetQueryException error)
        {
            throw new FleetQueryException(error.Failure with { NotExecuted = false, Kind = RedisFailureKind.Ambiguous });
        }
    }

    // Waits for a command that precedes the first command that changes something. If it fails, the call was not executed.
    private static async Task<T> BeforeAsync<T>(Task<T> command)
    {
        try
        {
            return await command.ConfigureAwait(false);
        }
        catch (FleetQueryException error)
        {
            throw new FleetQueryException(TagCheck.NotExecuted(error.Failure));
        }
    }

    private static void BeginSet(RedisCommand query, RemoteCache cache, ReadOnlySpan<byte> request, byte[] tags, long number)
    {
        SetWithLeaseFields.Decode(request, out SetWithLeaseFields fields);
        query.BeginScript(FleetScripts.LeaseSet, 3, 7);
        query.AddItem(cache, fields.Key);
        query.AddCompanions(cache, fields.Key);
        query.Add(fields.Value);
        query.Add((long)fields.TtlMs);
        query.Add((long)fields.StaleMs);
        query.Add(fields.Token);
        query.Add(tags);
        query.Add(number);
        query.Add(fields.Validator);
    }

    private Task ChangeAsync(RemoteCache cache, DirectoryChange change) =>
        _changes.GetOrAdd((cache.Name, change), key => new SharedRun(() => directory.ChangeAsync(key.Change, key.Cache))).JoinAsync();

    private async Task<LeaseReply> AskAsync(RemoteCache cache, GetOrLeaseFields fields, byte[] token, long deadline)
    {
        FleetQuery<LeaseReply> query = new(LeaseReply.Read);
        query.BeginScript(FleetScripts.LeaseGet, 3, 3);
        query.AddItem(cache, fields.Key.Span);
        query.AddCompanions(cache, fields.Key.Span);
        query.Add(token);
        query.Add(fields.LeaseMs);
        query.Add(cache.Use == CacheUse.Tags ? 1 : 0);
        query.IsIdempotent = true;
        query.Deadline = deadline;
        try
        {
            return await query.SendAsync(store).ConfigureAwait(false);
        }
        catch (FleetQueryException) when (token.Length > 0)
        {
            // The lease may have been granted. The caller does not get it, so it is released without waiting for the reply.
            _ = ReleaseUnheardAsync(cache, fields.Key.ToArray(), token);
            throw;
        }
    }

    private async Task<bool> AreValidAsync(RemoteCache cache, byte[] number, byte[] tags, long deadline)
    {
        FleetQuery<long> query = new(static (ref RespReader reply) => reply.Integer);
        TagCheck.BeginCompare(query, cache, number, tags);
        query.Deadline = deadline;
        return await query.SendAsync(store).ConfigureAwait(false) == 1;
    }

    private async Task DropIfInvalidAsync(RemoteCache cache, ReadOnlyMemory<byte> key, byte[] number, byte[] tags, long deadline)
    {
        if (!await AreValidAsync(cache, number, tags, deadline).ConfigureAwait(false))
        {
            await DropAsync(cache, key, number, tags, deadline).ConfigureAwait(false);
        }
    }

    private Task<long> DropAsync(RemoteCache cache, ReadOnlyMemory<byte> key, byte[] number, byte[] tags, long deadline)
    {
        FleetQuery<long> query = new(static (ref RespReader reply) => reply.Integer);
        TagCheck.BeginDrop(query, cache, key.Span, number, tags);
        query.Deadline = deadline;
        return query.SendAsync(store);
    }

    private Task<long> ReadNumberAsync(RemoteCache cache, long deadline)
    {
        FleetQuery<long> query = new(static (ref RespReader reply) => long.Parse(Encoding.ASCII.GetString(reply.Bytes), CultureInfo.InvariantCulture));
        query.BeginScript(FleetScripts.RemovalNumber, 1, 0);
        query.AddNumbers(cache);
        query.IsIdempotent = true;
        query.Deadline = deadline;
        return query.SendAsync(store);
    }
}
