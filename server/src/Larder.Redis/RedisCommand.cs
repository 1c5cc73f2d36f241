using System.Diagnostics.CodeAnalysis;
using Larder.Wire;

namespace Larder.Redis;

/// <summary>
/// A Redis command. The command is encoded once, and the encoding is kept until the command completes, because a cluster may require that the command is sent
/// again to another node. After the caller has passed the command to <see cref="RedisStore.Send"/>, only the store may use it. The store then calls either
/// <see cref="OnReply"/> or <see cref="OnFailure"/>, exactly once. From the start of this call, the command may be used again, even for another command, so
/// derived types can pool their commands.
/// </summary>
[SuppressMessage("Reliability", "CA1001", Justification = "Its block is an array, which the collector takes with it.")]
public abstract partial class RedisCommand
{
    // The buffer size for a command with a key and a small value. A larger buffer is returned to the pool when the command has completed.
    private const int KeptBytes = 1024;

    private readonly PooledBuffer _encoded = new(KeptBytes / 4);
    private int _left;
    private int _arguments;
    private int _afterHead;

    /// <summary>
    /// Gets or sets the deadline as a timestamp of the store's <see cref="TimeProvider"/>. The default is 0, which means no deadline. Set it after
    /// <see cref="Begin(int)"/>.
    /// </summary>
    public long Deadline { get; set; }

    /// <summary>
    /// Gets or sets whether the command may be sent again after it may have been executed. The default is false: if the connection is lost after the command
    /// was sent, the command fails with <see cref="RedisFailureKind.Ambiguous"/>. Set it after <see cref="Begin(int)"/>.
    /// </summary>
    public bool IsIdempotent { get; set; }

    /// <summary>
    /// Gets or sets a non-negative number that selects one of a node's connections for small commands. It is usually <see cref="RedisStore.PresentLane"/> of
    /// the thread that creates the command. The default is 0. The value is kept when the command is reused.
    /// </summary>
    public int Lane { get; set; }

    /// <summary>
    /// Gets or sets whether the command uses its node's connection for large commands regardless of the size of the command. Set it for commands whose reply is
    /// large or slow. The default is false. Set it after <see cref="Begin(int)"/>.
    /// </summary>
    public bool IsBulk { get; set; }

    /// <summary>Gets the slot of the first key, 0 to 16,383; -1 if there is no key. In this case, any master can execute the command.</summary>
    public int Slot { get; private set; } = -1;

    /// <summary>
    /// Gets whether the reply to a tracked GET arrived on a tracked connection. If true, the watch is notified of the next change of the key.
    /// </summary>
    public bool IsTracked => Tracking == ReadTracking.Given;

    /// <summary>
    /// Gets the remaining time to live of the key of a tracked GET, in milliseconds, measured before the value was read. The value is negative if the key has
    /// no time to live.
    /// </summary>
    public long TtlLeftMs { get; internal set; }

    /// <summary>Gets the size of the command on the wire, in bytes.</summary>
    public int EncodedBytes => _encoded.Written;

    /// <summary>Starts a new command with the given number of arguments, including its name. All properties except <see cref="Lane"/> are reset.</summary>
    public void Begin(int arguments)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(arguments, 1);
        _encoded.Reset(KeptBytes);
        _left = _arguments = arguments;
        _afterHead = 0;
        Deadline = 0;
        IsIdempotent = false;
        IsBulk = false;
        Slot = -1;
        Script = null;
        ResetJourney();
        RespWriter.WriteArray(_encoded, arguments);
    }

    /// <summary>Starts a script call. The keys and arguments must then be added by <see cref="AddKey"/> and <see cref="Add(ReadOnlySpan{byte})"/>.</summary>
    /// <param name="script">The script to run.</param>
    /// <param name="keys">The number of keys that follow, all in the same slot.</param>
    /// <param name="arguments">The number of arguments that follow the keys.</param>
    public void BeginScript(RedisScript script, int keys, int arguments)
    {
        ArgumentNullException.ThrowIfNull(script);
        Begin(3 + keys + arguments);
        Add("EVALSHA"u8);
        Add(script.Digest);
        Script = script;
        _afterHead = _encoded.Written;
        Add(keys);
    }

    /// <summary>
    /// Creates a complete GET command. It is sent on a tracked connection (<see cref="RedisStore.Watch"/>) if one is available, otherwise on another
    /// connection. Returns the key with its prefix, as the node reports it to the watch. The returned memory is valid until the next call of this method.
    /// </summary>
    public ReadOnlySpan<byte> BeginTrackedGet(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> key)
    {
        Begin(2);
        Add("GET"u8);
        _afterHead = _encoded.Written;
        TakePlace();
        int length = prefix.Length + key.Length;
        int start = RespWriter.WriteBytes(_encoded, prefix, key);
        ReadOnlySpan<byte> whole = _encoded.At(start, length);
        Slot = KeySlot.Of(whole);
        Tracking = ReadTracking.Wanted;
        return whole;
    }

    /// <summary>Adds an argument as raw bytes.</summary>
    public void Add(ReadOnlySpan<byte> argument)
    {
        TakePlace();
        RespWriter.WriteBytes(_encoded, argument);
    }

    /// <summary>Adds a number in decimal as an argument.</summary>
    public void Add(long number)
    {
        TakePlace();
        RespWriter.WriteNumber(_encoded, number);
    }

    /// <summary>
    /// Adds a key that consists of <paramref name="prefix"/> and <paramref name="key"/>. The first key determines the command's slot. If this key contains a
    /// <c>{tag}</c>, only the tag determines the slot.
    /// </summary>
    public void AddKey(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> key)
    {
        TakePlace();
        int length = prefix.Length + key.Length;
        int start = RespWriter.WriteBytes(_encoded, prefix, key);
        if (Slot < 0)
        {
            Slot = KeySlot.Of(_encoded.At(start, length));
        }
    }

    /// <summary>
    /// Called with the reply on the thread that read the reply. The method must not block this thread. The data of <paramref name="reply"/> is valid only
    /// during the call. Errors from the engine are passed to <see cref="OnFailure"/>.
    /// </summary>
    protected internal abstract void OnReply(ref RespReader reply);

    /// <summary>
    /// Called on any thread if the command fails. The method must not block the thread. It may be called on the caller's own thread during
    /// <see cref="RedisStore.Send"/>.
    /// </summary>
    protected internal abstract void OnFailure(RedisFailure failure);

    private void TakePlace()
    {
        if (_left-- <= 0)
        {
            throw new InvalidOperationException("A command has more arguments than it announced.");
        }
    }
}
