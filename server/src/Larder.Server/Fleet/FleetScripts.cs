using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>The Lua scripts that run on the nodes. Each script is loaded once, from a file in the folder <c>Scripts</c>.</summary>
internal static class FleetScripts
{
    public static readonly RedisScript DirectoryBeat = Load("directory-beat");
    public static readonly RedisScript DirectoryBehind = Load("directory-behind");
    public static readonly RedisScript DirectoryChange = Load("directory-change");
    public static readonly RedisScript DirectoryFollow = Load("directory-follow");
    public static readonly RedisScript DirectoryRestore = Load("directory-restore");
    public static readonly RedisScript Increment = Load("increment", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript ItemDrop = Load("item-drop");
    public static readonly RedisScript LeaseGet = Load("lease-get", "part-tag-mark");
    public static readonly RedisScript LeaseRelease = Load("lease-release");
    public static readonly RedisScript LeaseSet = Load("lease-set", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript PeekRange = Load("peek-range");
    public static readonly RedisScript RemovalNumber = Load("removal-number", "part-removal-number");
    public static readonly RedisScript ScanEntry = Load("scan-entry");
    public static readonly RedisScript ScanItems = Load("scan-items");
    public static readonly RedisScript SetAndEndLease = Load("set-and-end-lease", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript SetIf = Load("set-if", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript SetIfSame = Load("set-if-same", "part-tag-mark", "part-end-lease");
    public static readonly RedisScript SweepClaim = Load("sweep-claim");
    public static readonly RedisScript TagsCheck = Load("tags-check");
    public static readonly RedisScript TagsGet = Load("tags-get", "part-tag-mark");
    public static readonly RedisScript TagsRemove = Load("tags-remove", "part-removal-number");
    public static readonly RedisScript TopicOpen = Load("topic-open", "topic-page");
    public static readonly RedisScript TopicPublish = Load("topic-publish", "topic-page");
    public static readonly RedisScript UpdateTtl = Load("update-ttl", "part-tag-mark", "part-end-lease", "part-move-tail");
    public static readonly RedisScript UpdateTtlIfPrefix = Load("update-ttl-if-prefix", "part-tag-mark", "part-end-lease", "part-move-tail");
    public static readonly RedisScript ValueGet = Load("value-get");

    /// <summary>Gets all scripts. They are loaded on each connection.</summary>
    public static IReadOnlyList<RedisScript> All =>
    [
        DirectoryBeat, DirectoryBehind, DirectoryChange, DirectoryFollow, DirectoryRestore, Increment, ItemDrop, LeaseGet, LeaseRelease, LeaseSet,
        PeekRange, RemovalNumber, ScanEntry, ScanItems, SetAndEndLease, SetIf, SetIfSame, SweepClaim, TagsCheck, TagsGet, TagsRemove, TopicOpen,
        TopicPublish, UpdateTtl, UpdateTtlIfPrefix, ValueGet,
        .. CollectionScripts.All,
    ];

    /// <summary>Loads a script. Prepends the shared parts that the script uses.</summary>
    public static RedisScript Load(string name, params string[] parts) => new(name, string.Concat(parts.Append(name).Select(Read)));

    private static string Read(string name)
    {
        using Stream text = typeof(FleetScripts).Assembly.GetManifestResourceStream($"{name}.lua")
            ?? throw new InvalidOperationException($"The script {name} is missing from the assembly.");
        using StreamReader reader = new(text);
        return reader.ReadToEnd();
    }
}
