using System.Globalization;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>One data call in flight, or a part of a joined one: the command, and what its answer needs. Used again when it has ended.</summary>
internal sealed class RemoteCommand : RedisCommand, ITurnTaker
{
    private NodeTurnSender? _turn;
    private long _sentAt;

    /// <summary>Who waits for it.</summary>
    public RemoteCaller Caller { get; set; } = null!;

    /// <summary>What it does.</summary>
    public RemoteCall? Call { get; private set; }

    public RemoteTarget Target { get; private set; }

    /// <summary>The pipelined call's id; of a part, its place among the parts.</summary>
    public uint Id { get; private set; }

    /// <summary>The pipelined call's field.</summary>
    public int Field { get; private set; }

    /// <summary>When the call was begun, as a timestamp of the server's clock.</summary>
    public long StartedAt { get; private set; }

    /// <summary>What the call's own request takes until it is answered, in bytes.</summary>
    public int RequestBytes { get; private set; }

    /// <summary>How much of a pipeline's bound of outstanding calls it takes.</summary>
    public int Weight { get; set; }

    /// <inheritdoc/>
    public Effort Effort { get; set; }

    /// <inheritdoc/>
    public bool IsContinued { get; set; }

    object ITurnTaker.Owner => Caller.Owner;

    bool ITurnTaker.IsGone => Caller.IsGone;

    /// <summary>The request, where the call needs it again.</summary>
    public ReadOnlyMemory<byte> Request { get; set; }

    /// <summary>When the call ends at the latest: a timestamp of the server's clock.</summary>
    public long EndsAt { get; private set; }

    /// <summary>Whether the command, as it was begun last, may be sent again where it may have run.</summary>
    public bool IsRepeatable { get; set; }

    /// <summary>The step that a call of several steps has reached; 0 at first.</summary>
    public int Step { get; set; }

    /// <summary>What <see cref="RemoteCall.Digest"/> has made of a large reply; null: nothing.</summary>
    public byte[]? Digests { get; set; }

    /// <summary>What joins the parts; null: the call is one command.</summary>
    public RemoteJoin? Join { get; set; }

    /// <summary>Of a near get: its key's ticket.</summary>
    public uint Ticket { get; set; }

    /// <summary>Makes the object one call's.</summary>
    /// <param name="call">What it does.</param>
    /// <param name="target">What it acts on.</param>
    /// <param name="id">The pipelined call's id, or the part's place.</param>
    /// <param name="field">The pipelined call's field.</param>
    /// <param name="startedAt">Now.</param>
    /// <param name="endsAt">When it ends at the latest.</param>
    /// <param name="requestBytes">The request's length.</param>
    public void Prepare(RemoteCall call, in RemoteTarget target, uint id, int field, long startedAt, long endsAt, int requestBytes)
    {
        Call = call;
        Target = target;
        Id = id;
        Field = field;
        StartedAt = startedAt;
        EndsAt = endsAt;
        RequestBytes = requestBytes;
        IsRepeatable = call.IsIdempotent;
        Step = 0;
        Weight = 1;
        Effort = call.FirstEffort;
        IsContinued = false;
        Join = null;
        Digests = null;
        Request = default;
    }

    /// <summary>Begins a command on one item.</summary>
    /// <param name="verb">Its name.</param>
    /// <param name="key">The caller's key.</param>
    /// <param name="more">The arguments that follow.</param>
    public void Begin(ReadOnlySpan<byte> verb, ReadOnlySpan<byte> key, int more = 0)
    {
        Begin(2 + more);
        Add(verb);
        AddKey(Target.Cache.Prefix, key);
    }

    /// <summary>Begins the reading of a value; a light command reads none of more than <see cref="FleetLimits.LightBytes"/>.</summary>
    public void BeginValueGet(ReadOnlySpan<byte> key)
    {
        if (Effort == Effort.Heavy)
        {
            Begin("GET"u8, key);
            return;
        }

        Begin(FleetScripts.ValueGet, key, 1);
        Add(FleetLimits.LightBytes);
    }

    /// <summary>Begins a script on one item.</summary>
    /// <param name="script">The script.</param>
    /// <param name="key">The caller's key.</param>
    /// <param name="arguments">The arguments that follow.</param>
    public void Begin(RedisScript script, ReadOnlySpan<byte> key, int arguments)
    {
        BeginScript(script, 1, arguments);
        AddKey(Target.Cache.Prefix, key);
    }

    /// <summary>Adds an argument: a score, by the shortest text that reads back as the same; −0 as 0, as it is stored.</summary>
    /// <param name="score">Finite or not, but a number.</param>
    /// <param name="isExcluded">Of a bound of scores: whether it leaves out its own.</param>
    public void AddScore(double score, bool isExcluded = false)
    {
        // A parenthesis; 17 digits with sign, point and exponent are 24.
        Span<byte> text = stackalloc byte[32];
        text[0] = (byte)'(';
        ReadOnlySpan<byte> infinite = score > 0 ? "inf"u8 : "-inf"u8;
        int length = infinite.Length;
        if (double.IsInfinity(score))
        {
            infinite.CopyTo(text[1..]);
        }
        else
        {
            (score + 0.0).TryFormat(text[1..], out length, default, CultureInfo.InvariantCulture);
        }

        Add(text.Slice(isExcluded ? 0 : 1, length + (isExcluded ? 1 : 0)));
    }

    /// <summary>Adds an argument for each element: its name.</summary>
    public void AddNames(scoped in CollectionBatch elements)
    {
        for (int index = 0; index < elements.Count; index++)
        {
            Add(elements.NameAt(index));
        }
    }

    /// <summary>Begins a set.</summary>
    /// <param name="item">Key, value and TTL.</param>
    /// <param name="condition">NX, XX, or empty.</param>
    public void BeginSet(scoped in ItemRequest item, ReadOnlySpan<byte> condition = default)
    {
        Begin("SET"u8, item.Key, condition.IsEmpty ? 3 : 4);
        Add(item.Value);
        Add("PX"u8);
        Add((long)item.TtlMs);
        if (!condition.IsEmpty)
        {
            Add(condition);
        }
    }

    /// <summary>Sends it, or the parts that it is joined from.</summary>
    public void Start(RemoteFront front)
    {
        if (Join is { } join)
        {
            join.Start(front);
        }
        else
        {
            Send(front);
        }
    }

    /// <summary>Sends the command that was begun last; where it may take long, when it is its turn on its node.</summary>
    public void Send(RemoteFront front)
    {
        if (Effort == Effort.Small)
        {
            SendNow(front.Store);
        }
        else
        {
            front.Turns.Send(this);
        }
    }

    /// <summary>Its turn on a node has come: what follows is <see cref="SendNow"/>.</summary>
    public void BeginTurn(NodeTurnSender turn, long now)
    {
        _turn = turn;
        _sentAt = now;
    }

    /// <summary>Sends the command; where its cache was just flushed, when that is known everywhere.</summary>
    public void SendNow(RedisStore store)
    {
        Deadline = EndsAt;
        IsIdempotent = IsRepeatable;
        IsBulk = Effort == Effort.Heavy;
        if (Target.Cache.Hold is { IsOver: false } hold)
        {
            hold.Send(this);
        }
        else
        {
            store.Send(this);
        }
    }

    /// <summary>Keeps the request for a later step; once.</summary>
    /// <exception cref="Wire.RpcException">RESOURCE_EXHAUSTED: there is no memory for it.</exception>
    public void KeepRequest(ReadOnlySpan<byte> request)
    {
        if (Request.IsEmpty)
        {
            Request = Caller.Keep(this, request);
        }
    }

    /// <summary>Begins the call again as a heavy one: a script has found that it is too much work without a turn, and has done nothing.</summary>
    /// <param name="step">The step that it begins with.</param>
    /// <returns><see cref="RemoteCall.Again"/>.</returns>
    public CallError? BeginHeavy(int step = 0)
    {
        Effort = Effort.Heavy;
        Step = step;
        return Call!.Begin(Request.Span, this) ?? RemoteCall.Again;
    }

    /// <summary>Fails a command that was not sent.</summary>
    public void FailUnsent(RedisFailure failure) => OnFailure(failure);

    /// <summary>Lets go of what the call held.</summary>
    public void Forget()
    {
        Caller = null!;
        Call = null;
        Target = default;
        Request = default;
        Join = null;
    }

    /// <inheritdoc/>
    protected override void OnReply(ref RespReader reply)
    {
        EndTurn();
        Caller.OnReply(this, ref reply);
    }

    /// <inheritdoc/>
    protected override void OnFailure(RedisFailure failure)
    {
        EndTurn();
        Caller.OnFailure(this, failure);
    }

    private void EndTurn()
    {
        if (_turn is { } turn)
        {
            _turn = null;
            turn.End(Effort, _sentAt);
        }
    }
}
