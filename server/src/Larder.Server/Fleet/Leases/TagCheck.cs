using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// The check that precedes a command in a cache with tags: reads the item's tags, compares them with the removed tags, and deletes the item if one of them was
/// removed. The command is sent afterwards, and finds no item in this case. An item whose tags were evicted is deleted too.
/// </summary>
internal sealed class TagCheck : RedisCommand
{
    private readonly RemoteCache _cache;
    private readonly byte[] _key;
    private Step _step = Step.Read;
    private RemoteCommand _command = null!;
    private RedisStore _store = null!;
    private byte[] _tags = [];
    private byte[] _number = [];

    /// <param name="cache">The cache.</param>
    /// <param name="key">The caller's key.</param>
    public TagCheck(RemoteCache cache, ReadOnlySpan<byte> key)
    {
        _cache = cache;
        _key = key.ToArray();
        BeginRead(this, cache, key);
    }

    private enum Step
    {
        Read,
        Compare,
        Drop,
    }

    /// <summary>Runs the check, and then sends the command.</summary>
    public void Run(RemoteCommand command, RedisStore store)
    {
        _command = command;
        _store = store;
        Lane = command.Lane;
        Send();
    }

    /// <summary>Returns the failure of a call of which only checks have been executed.</summary>
    public static RedisFailure NotExecuted(RedisFailure failure) =>
        failure with { NotExecuted = true, Kind = failure.Kind == RedisFailureKind.Ambiguous ? RedisFailureKind.Unavailable : failure.Kind };

    /// <summary>Begins the script that reads the tags of an item, and deletes an item that has lost its tags.</summary>
    public static void BeginRead(RedisCommand command, RemoteCache cache, ReadOnlySpan<byte> key)
    {
        command.BeginScript(FleetScripts.TagsGet, 2, 0);
        command.AddItem(cache, key);
        command.AddTail(cache, key, command.Slot);
        command.IsIdempotent = true;
    }

    /// <summary>Begins the script that compares tags with the removed tags. It returns 1 if no tag was removed since <paramref name="number"/>.</summary>
    public static void BeginCompare(RedisCommand command, RemoteCache cache, ReadOnlySpan<byte> number, ReadOnlySpan<byte> tags)
    {
        command.BeginScript(FleetScripts.TagsCheck, 2, 2);
        command.AddNumbers(cache);
        command.AddRemovedTags(cache);
        command.Add(number);
        command.Add(tags);
        command.IsIdempotent = true;
    }

    /// <summary>Begins the script that deletes an item, unless it has been replaced since its tags were read.</summary>
    public static void BeginDrop(RedisCommand command, RemoteCache cache, ReadOnlySpan<byte> key, ReadOnlySpan<byte> number, ReadOnlySpan<byte> tags)
    {
        command.BeginScript(FleetScripts.ItemDrop, 2, 2);
        command.AddItem(cache, key);
        command.AddTail(cache, key, command.Slot);
        command.Add(tags);
        command.Add(number);
        command.IsIdempotent = true;
    }

    /// <inheritdoc/>
    protected override void OnReply(ref RespReader reply)
    {
        switch (_step)
        {
            case Step.Read when HasTags(ref reply):
                _step = Step.Compare;
                BeginCompare(this, _cache, _number, _tags);
                Send();
                break;
            case Step.Compare when reply.Integer == 0:
                _step = Step.Drop;
                BeginDrop(this, _cache, _key, _number, _tags);
                Send();
                break;
            default:
                _command.SendNow(_store);
                break;
        }
    }

    /// <inheritdoc/>
    protected override void OnFailure(RedisFailure failure) => _command.FailUnsent(NotExecuted(failure));

    private bool HasTags(ref RespReader reply)
    {
        reply.Read();
        _tags = reply.Bytes.ToArray();
        reply.Read();
        _number = reply.Bytes.ToArray();
        return _tags.Length > 0;
    }

    private void Send()
    {
        Deadline = _command.EndsAt;
        IsIdempotent = true;
        _store.Send(this);
    }
}
