namespace Larder.Redis;

/// <summary>One Redis server or a cluster, which is found by asking. Starts at once without waiting, and works once it is there.</summary>
public sealed class RedisStore : IAsyncDisposable
{
    private RedisStore()
    {
    }

    /// <summary>Whether calls can be answered: the engine is known, and one master at least is connected.</summary>
    public bool IsReady => WhyNotReady is null;

    /// <summary>Why not, for people; null where it is ready.</summary>
    public string? WhyNotReady => throw new NotImplementedException();

    /// <summary>The masters now; the numbers of <see cref="SendTo"/> are below it.</summary>
    public int MasterCount => throw new NotImplementedException();

    /// <summary>Begins to look for the engine.</summary>
    public static RedisStore Start(RedisOptions options) => throw new NotImplementedException();

    /// <summary>
    /// Sends a command to the master of its slot, or to any master where it has none. Never blocks, and throws for a command that is not whole alone: what
    /// cannot be sent fails by <see cref="RedisCommand.OnFailure"/>, which may be called within this call. Travels with <see cref="Flush"/>. Commands of one
    /// thread to one key are run in their order, unless they are of different sizes around 64 KB, or one has to be sent again.
    /// </summary>
    public void Send(RedisCommand command) => throw new NotImplementedException();

    /// <summary>Sends a command to one master by its number, and nowhere else; see <see cref="MasterCount"/>. One that has gone meanwhile fails it.</summary>
    public void SendTo(int master, RedisCommand command) => throw new NotImplementedException();

    /// <summary>
    /// Lets travel what this thread has sent since: call once after a batch of <see cref="Send"/>. Not needed within <see cref="RedisCommand.OnReply"/>: its
    /// batch ends with one.
    /// </summary>
    public void Flush() => throw new NotImplementedException();

    /// <summary>What it has done, and what it knows.</summary>
    public RedisStatistics Statistics() => throw new NotImplementedException();

    /// <summary>Ends it: what is under way fails as <see cref="RedisFailureKind.Ambiguous"/> or <see cref="RedisFailureKind.Unavailable"/>.</summary>
    public ValueTask DisposeAsync() => throw new NotImplementedException();
}
