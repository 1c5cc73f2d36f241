using System.Buffers;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Leases;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>Implements <see cref="LeaseService"/> on a gateway.</summary>
internal sealed class RemoteLeaseService
{
    // A waiting call asks the node again after these pauses, which double.
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(80);

    private readonly RemoteGateway _gateway;
    private readonly FleetLeases _leases;

    private RemoteLeaseService(RemoteGateway gateway)
    {
        _gateway = gateway;
        _leases = new FleetLeases(gateway.Store, gateway.Directory);
    }

    public static void Map(RpcRouter router, RemoteGateway gateway)
    {
        RemoteLeaseService service = new(gateway);
        router.MapUnary(
            LeaseService.GetOrLeasePath,
            (request, response, context) => service.RunAsync(context, service.GetOrLeaseAsync(FieldMemory.Whole(request), response, context)));
        router.MapUnary(
            LeaseService.SetWithLeasePath,
            (request, response, context) => service.RunAsync(context, service.SetWithLeaseAsync(FieldMemory.Whole(request), response, context)));
        router.MapUnary(
            LeaseService.ReleaseLeasePath,
            (request, response, context) => service.RunAsync(context, service.ReleaseLeaseAsync(FieldMemory.Whole(request), response, context)));
        router.MapUnary(
            LeaseService.RemoveByTagPath,
            (request, response, context) => service.RunAsync(context, service.RemoveByTagAsync(FieldMemory.Whole(request), response, context)));
    }

    private async ValueTask RunAsync(RpcContext context, Task call)
    {
        try
        {
            await call.ConfigureAwait(false);
        }
        catch (FleetQueryException error)
        {
            throw CallRouting.Failure(context, FleetErrors.Of(error.Failure));
        }
        finally
        {
            _gateway.Store.Flush();
        }
    }

    private async Task GetOrLeaseAsync(ReadOnlyMemory<byte> request, IBufferWriter<byte> response, RpcContext context)
    {
        CallRouting.Require(GetOrLeaseFields.Decode(request, out GetOrLeaseFields fields), context);
        RemoteCache cache = Begin(LeaseService.GetOrLeasePath, fields.Key.Span, context);
        CallRouting.Require(LeaseService.CheckLease(fields.LeaseMs), context);
        TimeSpan wait = TimeSpan.FromMilliseconds(fields.WaitMs);
        TimeSpan pause = FirstPause;
        while (true)
        {
            // The cache may have been flushed or deleted during the pause.
            cache = await OpenAsync(cache, CacheUse.Leases, context).ConfigureAwait(false);
            (LeaseReply found, byte[] token) = await _leases.GetAsync(cache, fields, EndOf(context), context.Cancelled).ConfigureAwait(false);
            if (token.Length > 0 && context.Cancelled.IsCancellationRequested)
            {
                // The caller no longer waits, so others must not wait for its lease.
                await _leases.ReleaseUnheardAsync(cache, fields.Key.ToArray(), token).ConfigureAwait(false);
                context.Cancelled.ThrowIfCancellationRequested();
            }

            TimeSpan left = wait - context.Elapsed;
            if (found.Kind != LeaseReplyKind.Missing || found.IsMine || left <= TimeSpan.Zero)
            {
                await AnswerAsync(cache, fields, found, token, response, context).ConfigureAwait(false);
                return;
            }

            TimeSpan untilItEnds = TimeSpan.FromMilliseconds(found.LeftMs + 1);
            TimeSpan next = pause < untilItEnds ? pause : untilItEnds;
            await Task.Delay(next < left ? next : left, _gateway.TimeProvider, context.Cancelled).ConfigureAwait(false);
            pause = pause < LongestPause ? 2 * pause : pause;
        }
    }

    private async Task AnswerAsync(
        RemoteCache cache,
        GetOrLeaseFields fields,
        LeaseReply found,
        byte[] token,
        IBufferWriter<byte> response,
        RpcContext context)
    {
        try
        {
            Write(found, token, response);
        }
        catch when (token.Length > 0)
        {
            // There is no space for the response, so the caller does not receive the lease. The lease is released, so that other callers do not wait for it.
            await _leases.ReleaseAsync(cache, fields.Key, token, EndOf(context)).ConfigureAwait(false);
            throw;
        }
    }

    private static void Write(LeaseReply found, byte[] token, IBufferWriter<byte> response)
    {
        switch (found.Kind)
        {
            case LeaseReplyKind.Hit:
                new LeaseAnswer.Hit(response).Accept(found.Value);
                break;
            case LeaseReplyKind.Stale:
                new LeaseAnswer.Stale(response, token).Accept(found.Value, found.ExpiredMs, found.Validator);
                break;
            default:
                if (token.Length > 0)
                {
                    LeaseAnswer.WriteLease(response, token);
                }
                else
                {
                    LeaseAnswer.WriteElsewhere(response);
                }

                break;
        }
    }

    private async Task SetWithLeaseAsync(ReadOnlyMemory<byte> request, IBufferWriter<byte> response, RpcContext context)
    {
        RemoteCache cache = CheckSet(request, out ulong[] tags, context);
        cache = await OpenAsync(cache, tags.Length > 0 ? CacheUse.Tags : CacheUse.Leases, context).ConfigureAwait(false);
        bool isStored = await _leases.SetAsync(cache, request, tags, EndOf(context)).ConfigureAwait(false);
        SetWithLeaseResponse answer = isStored ? new() { Stored = new() } : new() { NotStored = new() };
        answer.WriteTo(response);
    }

    private RemoteCache CheckSet(ReadOnlyMemory<byte> request, out ulong[] tags, RpcContext context)
    {
        // A second run would find the lease used.
        context.RunsOnce = true;
        CallRouting.Require(SetWithLeaseFields.Decode(request.Span, out SetWithLeaseFields fields), context);
        RemoteCache cache = Begin(LeaseService.SetWithLeasePath, fields.Key, context);
        ulong[]? hashes = TagList.Hash(request.Span, SetWithLeaseFields.TagsField, out CallError? badTag);
        CallRouting.Require(LeaseService.CheckItem(_gateway.Rules, fields, badTag), context);
        tags = hashes!;
        return cache;
    }

    private async Task ReleaseLeaseAsync(ReadOnlyMemory<byte> request, IBufferWriter<byte> response, RpcContext context)
    {
        (RemoteCache cache, byte[] key, byte[] token) = CheckRelease(request.Span, context);
        await _leases.ReleaseAsync(cache, key, token, EndOf(context)).ConfigureAwait(false);
        new ReleaseLeaseResponse().WriteTo(response);
    }

    private (RemoteCache Cache, byte[] Key, byte[] Token) CheckRelease(ReadOnlySpan<byte> request, RpcContext context)
    {
        CallRouting.Require(ReleaseLeaseFields.Decode(request, out ReleaseLeaseFields fields), context);
        return (Begin(LeaseService.ReleaseLeasePath, fields.Key, context), fields.Key.ToArray(), fields.Token.ToArray());
    }

    private async Task RemoveByTagAsync(ReadOnlyMemory<byte> request, IBufferWriter<byte> response, RpcContext context)
    {
        ulong[]? tags = TagList.Hash(request.Span, LeaseService.RemovedTagsField, out CallError? badTag);
        CallRouting.Require(RemoteDataService.FindCache(_gateway, context, out RemoteCache? cache), context);
        CallRouting.Require(LeaseService.CheckRemoval(tags, badTag, cache!.Name, context), context);
        await _leases.RemoveAsync(cache, tags!, EndOf(context)).WaitAsync(context.Cancelled).ConfigureAwait(false);
        new RemoveByTagResponse().WriteTo(response);
    }

    private RemoteCache Begin(string path, ReadOnlySpan<byte> key, RpcContext context)
    {
        CallRouting.Require(RemoteDataService.FindCache(_gateway, context, out RemoteCache? cache), context);
        CallRouting.Require(LeaseService.CheckKey(path, key, cache!.Name, context), context);
        return cache;
    }

    // Returns the cache as it is now, after all live gateways have read its use.
    private async Task<RemoteCache> OpenAsync(RemoteCache cache, CacheUse use, RpcContext context)
    {
        while (true)
        {
            CallRouting.Require(_gateway.Find(cache.Name, out RemoteCache? found), context);
            if (found!.Use < use)
            {
                await _leases.RequireAsync(found, use).WaitAsync(context.Cancelled).ConfigureAwait(false);
            }
            else if (found.Hold is { IsOver: false })
            {
                // The cache has just been flushed, and another gateway may still serve the old items (FLEET-7).
                await Task.Delay(FirstPause, _gateway.TimeProvider, context.Cancelled).ConfigureAwait(false);
            }
            else
            {
                return found;
            }

            context.Cancelled.ThrowIfCancellationRequested();
        }
    }

    private long EndOf(RpcContext context) => _gateway.EndOf(_gateway.TimeProvider.GetTimestamp(), context.Remaining);
}
