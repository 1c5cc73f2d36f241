using System.Diagnostics.CodeAnalysis;
using Larder.Wire;

namespace Larder.Redis;

/// <summary>
/// One command, encoded once and kept until it is answered, since a cluster may ask for it again elsewhere. Whoever derives from it pools it: it is the
/// caller's until <see cref="RedisStore.Send"/>, the store's until <see cref="OnReply"/> or <see cref="OnFailure"/> is called (one of them, once), and then the
/// caller's again, to be begun anew even within that call.
/// </summary>
[SuppressMessage("Reliability", "CA1001", Justification = "Its block is an array, which the collector takes with it.")]
public abstract partial class RedisCommand
{
    // A command with a small value and its key; what a larger one took goes back once it is answered.
    private const int KeptBytes = 1024;

    private readonly PooledBuffer _encoded = new(KeptBytes / 4);
    private int _left;
    private int _arguments;
    private int _afterHead;

    /// <summary>
    /// The timestamp of the store's <see cref="TimeProvider"/> by which it ends; 0, the default, for none. Set after <see cref="Begin(int)"/>.
    /// </summary>
    public long Deadline { get; set; }

    /// <summary>
    /// Whether it may be sent again after it may have run. Default false: a connection lost then ends it as <see cref="RedisFailureKind.Ambiguous"/>. Set after
    /// <see cref="Begin(int)"/>.
    /// </summary>
    public bool IsIdempotent { get; set; }

    /// <summary>
    /// Which of a node's connections for small commands takes it: 0, the default, or <see cref="RedisStore.PresentLane"/> where it was begun; any number from 0
    /// is good. Stays what it is when the command is begun anew.
    /// </summary>
    public int Lane { get; set; }

    /// <summary>
    /// Whether it goes on its node's connection for large commands, whatever its own size: its answer is large or takes long. Default false. Set after
    /// <see cref="Begin(int)"/>.
    /// </summary>
    public bool IsBulk { get; set; }

    /// <summary>The slot of its first key, 0 to 16,383; -1 where it has none, and any master may take it.</summary>
    public int Slot { get; private set; } = -1;

    /// <summary>Of a tracked GET that was answered: whether that came on a tracked connection, so that the watch is told of the key's next change.</summary>
    public bool IsTracked => Tracking == ReadTracking.Given;

    /// <summary>Of the same: what the key had left, in milliseconds, before the value was read; below 0 for a key without a time to live.</summary>
    public long TtlLeftMs { get; internal set; }

    /// <summary>Bytes that it takes on the wire.</summary>
    public int EncodedBytes => _encoded.Written;

    /// <summary>Begins anew: a command of so many arguments, its name with them. Everything set before is forgotten.</summary>
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

    /// <summary>Begins a script's run; the keys and the arguments follow by <see cref="AddKey"/> and <see cref="Add(ReadOnlySpan{byte})"/>.</summary>
    /// <param name="script">What is run.</param>
    /// <param name="keys">How many keys follow, of one slot.</param>
    /// <param name="arguments">How many arguments follow them.</param>
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
    /// Begins a GET that is read on a connection which its node tracks (<see cref="RedisStore.Watch"/>), where there is one; where there is none it is read as
    /// any other. Whole with this: nothing is added. Returns the key as the node has it and will name it, valid until the next call.
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

    /// <summary>Adds an argument: bytes as they are.</summary>
    public void Add(ReadOnlySpan<byte> argument)
    {
        TakePlace();
        RespWriter.WriteBytes(_encoded, argument);
    }

    /// <summary>Adds an argument: a number in decimal.</summary>
    public void Add(long number)
    {
        TakePlace();
        RespWriter.WriteNumber(_encoded, number);
    }

    /// <summary>
    /// Adds a key: <paramref name="prefix"/> and <paramref name="key"/> in one. The first one's slot is the command's, by its <c>{tag}</c> where it has one.
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
    /// The answer, on the thread that read it, which it may not block. What <paramref name="reply"/> shows is valid within the call only. An error of the
    /// engine comes by <see cref="OnFailure"/>.
    /// </summary>
    protected internal abstract void OnReply(ref RespReader reply);

    /// <summary>
    /// There is no answer. On any thread, which it may not block: also on the caller's own within <see cref="RedisStore.Send"/>.
    /// </summary>
    protected internal abstract void OnFailure(RedisFailure failure);

    private void TakePlace()
    {
        if (_left-- <= 0)
        {
            throw new InvalidOperationException("A command has more arguments than it was begun with.");
        }
    }
}
