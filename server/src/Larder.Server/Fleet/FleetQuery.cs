using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>Parses a reply.</summary>
/// <param name="reply">The reply. It is valid only during this call.</param>
internal delegate T ReplyReading<T>(ref RespReader reply);

/// <summary>
/// A command that the gateway sends for its own purposes, for example to read the directory. The caller can await the reply. Not pooled, because there are few
/// such commands.
/// </summary>
/// <typeparam name="T">The type of the parsed reply.</typeparam>
internal sealed class FleetQuery<T>(ReplyReading<T> read) : RedisCommand
{
    private readonly TaskCompletionSource<T> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Sends the command. May be called only once.</summary>
    /// <exception cref="FleetQueryException">The command failed.</exception>
    public Task<T> SendAsync(RedisStore store)
    {
        store.Send(this);
        store.Flush();
        return _answer.Task;
    }

    /// <summary>Sends the command to one master. May be called only once.</summary>
    /// <exception cref="FleetQueryException">The command failed.</exception>
    public Task<T> SendToAsync(RedisStore store, int master)
    {
        store.SendTo(master, this);
        store.Flush();
        return _answer.Task;
    }

    /// <summary>Sends the command to one master. May be called only once.</summary>
    /// <exception cref="FleetQueryException">The command failed.</exception>
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
#pragma warning disable CA1031 // The exception belongs to the awaiting caller, not to the node's connection.
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            _answer.SetException(thrown);
        }
    }

    /// <inheritdoc/>
    protected override void OnFailure(RedisFailure failure) => _answer.SetException(new FleetQueryException(failure));
}
