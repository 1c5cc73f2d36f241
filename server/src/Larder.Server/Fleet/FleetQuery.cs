using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>Reads an answer.</summary>
/// <param name="reply">The answer; valid within the call only.</param>
internal delegate T ReplyReading<T>(ref RespReader reply);

/// <summary>One command of the front's own, awaited: the directory's and the sweep's. Not pooled; they are few.</summary>
/// <typeparam name="T">What its answer says.</typeparam>
internal sealed class FleetQuery<T>(ReplyReading<T> read) : RedisCommand
{
    private readonly TaskCompletionSource<T> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Sends it, once.</summary>
    /// <exception cref="FleetQueryException">It failed.</exception>
    public Task<T> SendAsync(RedisStore store)
    {
        store.Send(this);
        store.Flush();
        return _answer.Task;
    }

    /// <summary>Sends it to one master, once.</summary>
    /// <exception cref="FleetQueryException">It failed.</exception>
    public Task<T> SendToAsync(RedisStore store, int master)
    {
        store.SendTo(master, this);
        store.Flush();
        return _answer.Task;
    }

    /// <summary>Sends it to one master, once.</summary>
    /// <exception cref="FleetQueryException">It failed.</exception>
    public Task<T> SendToAsync(RedisStore store, RedisEndPoint master)
    {
        store.SendTo(master, this);
        store.Flush();
        return _answer.Task;
    }

    /// <inheritdoc/>
    protected override void OnReply(ref RespReader reply)
    {
        try
        {
            _answer.SetResult(read(ref reply));
        }
#pragma warning disable CA1031 // It is the awaiting side's, and not the node's connection's.
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            _answer.SetException(thrown);
        }
    }

    /// <inheritdoc/>
    protected override void OnFailure(RedisFailure failure) => _answer.SetException(new FleetQueryException(failure));
}
