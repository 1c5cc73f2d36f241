using System.Globalization;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// One data call in flight, or one part of a joined call. Contains the Redis command and the state that is needed to process its reply. Pooled.
/// </summary>
internal sealed class RemoteCommand : RedisCommand, IQueuedCommand
{
    private NodeTurnSender? _turn;
    private long _sentAt;

    /// <summary>Gets or sets the object that receives the outcome.</summary>
    public RemoteCaller Caller { get; set; } = null!;

    /// <summary>Gets the implementation of the call.</summary>
    public RemoteCall? Call { get; private set; }

    public RemoteTarget Target { get; private set; }

    /// <summary>Gets the ID of the pipelined call, or the index of the part.</summary>
    public uint Id { get; private set; }

    /// <summary>Gets the field number of the pipelined call.</summary>
    public int Field { get; private set; }

    /// <summary>Gets the start of the call, as a timestamp of the server's clock.</summary>
    public long StartedAt { get; private set; }

    /// <summary>Gets the size of the request in bytes. It counts towards the pipeline's limit until the call has completed.</summary>
    public int RequestBytes { get; private set; }

    /// <summary>Gets or sets the weight of this call in the pipeline's limit of outstanding calls. A joined call may count as several calls.</summary>
    public int Weight { get; set; }

    /// <inheritdoc/>
    public Effort Effort { get; set; }

    /// <inheritdoc/>
    public bool IsContinued { get; set; }

    object IQueuedCommand.Owner => Caller.Owner;

    bool IQueuedCommand.IsGone => Caller.IsGone;

    /// <summary>Gets the stored request, if a later step of the call needs it.</summary>
    public ReadOnlyMemory<byte> Request { get; set; }

    /// <summary>Gets the deadline of the call, as a timestamp of the server's clock.</summary>
    public long EndsAt { get; private set; }

    /// <summary>Gets or sets whether the current command may be resent if it is unknown whether it has run.</summary>
    public bool IsRepeatable { get; set; }

    /// <summary>Gets or sets the number of the current step of a call with several steps. The first step is 0.</summary>
    public int Step { get; set; }

    /// <summary>Gets or sets the result of <see cref="RemoteCall.Digest"/> for a large reply, or null.</summary>
    public byte[]? Digests { get; set; }

    /// <summary>Gets or sets the object that runs the parts of a joined call. Null if the call is a single command.</summary>
    public RemoteJoin? Join { get; set; }

    /// <summary>Gets or sets the ticket of the key, for a near get. If the key changes, the client is notified with this ticket.</summary>
    public uint Ticket { get; set; }

    /// <summary>Initializes this object for a call.</summary>
    /// <param name="call">The implementation of the call.</param>
    /// <param name="target">The cache and its rules.</param>
    /// <param name="id">The ID of the pipelined call, or the index of the part.</param>
    /// <param name="field">The field number of the pipelined call.</param>
    /// <param name="startedAt">The current timestamp.</param>
    /// <param name="endsAt">The deadline.</param>
    /// <param name="requestBytes">The size of the request in bytes.</param>
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
        Check = null;
    }

    /// <summary>Gets or sets the check that precedes the command in a cache with tags. Null if there is none.</summary>
    public TagCheck? Check { get; set; }

    /// <summary>Begins a command on one item.</summary>
    /// <param name="verb">The name of the Redis command.</param>
    /// <param name="key">The caller's key.</param>
    /// <param name="more">The number of arguments that the caller adds afterwards.</param>
    public void Begin(ReadOnlySpan<byte> verb, ReadOnlySpan<byte> key, int more = 0)
    {
        Begin(2 + more);
        Add(verb);
        AddItem(key);
    }

    /// <summary>Begins a command that reads a value. A light command does not read a value larger than <see cref="FleetLimits.LightBytes"/>.</summary>
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

    /// <summary>
    /// Begins a script on one item. In a cache with leases, the item's key is followed by the keys of its lease and its tail. A script that writes removes
    /// both.
    /// </summary>
    /// <param name="script">The script.</param>
    /// <param name="key">The caller's key.</param>
    /// <param name="arguments">The number of arguments that the caller adds afterwards.</param>
    public void Begin(RedisScript script, ReadOnlySpan<byte> key, int arguments)
    {
        bool hasCompanions = Target.Cache.Use != CacheUse.Plain;
        BeginScript(script, hasCompanions ? 3 : 1, arguments);
        AddItem(key);
        if (hasCompanions)
        {
            this.AddCompanions(Target.Cache, key);
        }
    }

    /// <summary>Begins the command that deletes an item, with its lease and its tail.</summary>
    public void BeginDelete(ReadOnlySpan<byte> key)
    {
        if (Target.Cache.Use == CacheUse.Plain)
        {
            Begin("UNLINK"u8, key);
            return;
        }

        Begin("UNLINK"u8, key, 2);
        this.AddCompanions(Target.Cache, key);
        Check = null;
    }

    /// <summary>
    /// Adds a score as an argument, in the shortest form that parses to the same number. −0 is sent as 0, because scores of −0 are stored as 0.
    /// </summary>
    /// <param name="score">The score. It may be infinite but not NaN.</param>
    /// <param name="isExcluded">Whether the score is a bound of a range that excludes the bound itself.</param>
    public void AddScore(double score, bool isExcluded = false)
    {
        // One parenthesis and at most 24 characters for the number: 17 digits with sign, point and exponent.
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

    /// <summary>Adds the name of each element as an argument.</summary>
    public void AddNames(scoped in CollectionBatch elements)
    {
        for (int index = 0; index < elements.Count; index++)
        {
            Add(elements.NameAt(index));
        }
    }

    /// <summary>Begins a SET command. In a cache with leases, it is a script.</summary>
    /// <param name="item">The key, the value and the TTL.</param>
    /// <param name="condition">NX or XX; empty for an unconditional SET.</param>
    public void BeginSet(scoped in ItemRequest item, ReadOnlySpan<byte> condition = default)
    {
        if (Target.Cache.Use != CacheUse.Plain)
        {
            Begin(FleetScripts.SetAndEndLease, item.Key, 3);
            Add(item.Value);
            Add((long)item.TtlMs);
            Add(condition);
            Check = condition.IsEmpty ? null : Check;
            return;
        }

        Begin("SET"u8, item.Key, condition.IsEmpty ? 3 : 4);
        Add(item.Value);
        Add("PX"u8);
        Add((long)item.TtlMs);
        if (!condition.IsEmpty)
        {
            Add(condition);
        }
    }

    /// <summary>Sends the command, or the parts of a joined call.</summary>
    public void Start(RemoteGateway gateway)
    {
        if (Join is { } join)
        {
            join.Start(gateway);
        }
        else
        {
            Send(gateway);
        }
    }

    /// <summary>Sends the current command. A small command is sent immediately. Other commands wait for their turn on the node.</summary>
    public void Send(RemoteGateway gateway)
    {
        if (Effort == Effort.Small)
        {
            SendNow(gateway.Store);
        }
        else
        {
            gateway.Turns.Send(this);
        }
    }

    /// <summary>Records that the command's turn on a node has begun. <see cref="SendNow"/> is called afterwards.</summary>
    public void BeginTurn(NodeTurnSender turn, long now)
    {
        _turn = turn;
        _sentAt = now;
    }

    /// <summary>Sends the command. If its cache has just been flushed, the command is held until every gateway has read the flush.</summary>
    public void SendNow(RedisStore store)
    {
        Deadline = EndsAt;
        IsIdempotent = IsRepeatable;
        IsBulk = Effort == Effort.Heavy;
        if (Check is { } check)
        {
            Check = null;
            check.Run(this, store);
        }
        else if (Target.Cache.Hold is { IsOver: false } hold)
        {
            hold.Send(this);
        }
        else
        {
            store.Send(this);
        }
    }

    /// <summary>Stores the request for a later step, unless it is already stored.</summary>
    /// <exception cref="Wire.RpcException">RESOURCE_EXHAUSTED: there is not enough memory for the request.</exception>
    public void KeepRequest(ReadOnlySpan<byte> request)
    {
        if (Request.IsEmpty)
        {
            Request = Caller.Keep(this, request);
        }
    }

    /// <summary>Restarts the call as a heavy call. Called if a script did nothing because the work is too much for a light command.</summary>
    /// <param name="step">The number of the first step.</param>
    /// <returns><see cref="RemoteCall.Again"/>, or an error.</returns>
    public CallError? BeginHeavy(int step = 0)
    {
        Effort = Effort.Heavy;
        Step = step;
        return Call!.Begin(Request.Span, this) ?? RemoteCall.Again;
    }

    /// <summary>Makes the command wait for a check of the item's tags, if the cache has tags. The command's key must be set.</summary>
    public void CheckTags(ReadOnlySpan<byte> key) => Check = Target.Cache.Use == CacheUse.Tags ? new TagCheck(Target.Cache, key) : null;

    /// <summary>Fails a command that was not sent.</summary>
    public void FailUnsent(RedisFailure failure) => OnFailure(failure);

    /// <summary>Releases all objects that the call refers to.</summary>
    public void Forget()
    {
        Caller = null!;
        Call = null;
        Target = default;
        Request = default;
        Join = null;
        Check = null;
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

    // Adds the key of the item. In a cache with tags, the command then waits for a check of the item's tags.
    private void AddItem(ReadOnlySpan<byte> key)
    {
        AddKey(Target.Cache.Prefix, key);
        CheckTags(key);
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
