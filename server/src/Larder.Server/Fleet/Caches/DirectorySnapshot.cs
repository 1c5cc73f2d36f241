using System.Globalization;
using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>An immutable snapshot of the directory: the caches by name, at one version.</summary>
internal sealed class DirectorySnapshot
{
    private readonly Dictionary<string, RemoteCache> _byName = new(StringComparer.Ordinal);
    private readonly Dictionary<string, RemoteCache>.AlternateLookup<ReadOnlySpan<char>> _byCharacters;

    private DirectorySnapshot(string version)
    {
        Version = version;
        _byCharacters = _byName.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>Gets the version of the directory.</summary>
    public string Version { get; }

    /// <summary>
    /// Gets the ID of the gateway that wrote this version. After a failover, two gateways may have written different directories with the same version.
    /// </summary>
    public string Writer { get; private set; } = "";

    public IReadOnlyCollection<RemoteCache> Caches => _byName.Values;

    /// <summary>Gets the cache names in ordinal order.</summary>
    public IReadOnlyList<string> Names => [.. _byName.Keys.Order(StringComparer.Ordinal)];

    public RemoteCache? Find(ReadOnlySpan<char> name) => _byCharacters.TryGetValue(name, out RemoteCache? cache) ? cache : null;

    /// <summary>
    /// Returns whether this snapshot lacks changes that <paramref name="known"/> contains. This happens if a replica is promoted before it has received those
    /// changes. A deletion is missing if this snapshot contains a cache that <paramref name="known"/> does not contain, and the generation of that cache is not
    /// newer than the version of <paramref name="known"/>.
    /// </summary>
    public bool Lacks(DirectorySnapshot known) =>
        Number(Version) < Number(known.Version)
        || _byName.Values.Any(cache => cache.Generation < known.Find(cache.Name)?.Generation)
        || _byName.Values.Any(cache => known.Find(cache.Name) is { } other && cache.IsStill(other) && cache.IsBehind(other))
        || _byName.Values.Any(cache => known.Find(cache.Name) is null && cache.Generation <= Number(known.Version));

    /// <summary>Returns the IDs of the caches that were flushed or deleted between this snapshot and <paramref name="next"/>.</summary>
    public long[] NotIn(DirectorySnapshot next) => [.. _byName.Values.Where(cache => !cache.IsStill(next.Find(cache.Name))).Select(static cache => cache.Id)];

    /// <summary>Returns the IDs of the caches that still exist in <paramref name="next"/>, but of which tags were removed in between.</summary>
    public IEnumerable<long> WithRemovals(DirectorySnapshot next) => _byName.Values
        .Where(cache => next.Find(cache.Name) is { } later && cache.IsStill(later) && later.Removals != cache.Removals)
        .Select(static cache => cache.Id);

    /// <summary>
    /// Returns a copy of this snapshot that replaces <paramref name="known"/>. For an unchanged cache, the copy contains the object from
    /// <paramref name="known"/>. For a flushed or recreated cache, calls are queued in <paramref name="hold"/>.
    /// </summary>
    public DirectorySnapshot After(DirectorySnapshot known, FlushQueue? hold)
    {
        DirectorySnapshot after = new(Version) { Writer = Writer };
        foreach (RemoteCache cache in Caches)
        {
            RemoteCache? before = known.Find(cache.Name);
            after._byName[cache.Name] = before is null ? cache
                : !cache.IsStill(before) ? cache with { Hold = hold }
                : (cache.Use, cache.Removals) == (before.Use, before.Removals) ? before
                : cache with { Hold = before.Hold };
        }

        return after;
    }

    /// <summary>Parses the reply of the heartbeat script. Returns null if the directory has not changed since the version that the gateway reported.</summary>
    public static DirectorySnapshot? Read(ref RespReader reply)
    {
        bool isNew = reply.Count > 1;
        reply.Read();
        DirectorySnapshot snapshot = new(Text(reply));
        if (!isNew)
        {
            return null;
        }

        reply.Read();
        for (int pairs = reply.Count / 2; pairs > 0; pairs--)
        {
            reply.Read();
            string field = Text(reply);
            reply.Read();
            if (field.StartsWith("c:", StringComparison.Ordinal))
            {
                string[] numbers = Text(reply).Split('.');
                string name = field[2..];
                CacheUse use = numbers.Length > 2 ? (CacheUse)Number(numbers[2]) : CacheUse.Plain;
                long removals = numbers.Length > 3 ? Number(numbers[3]) : 0;
                snapshot._byName[name] = new RemoteCache(name, Number(numbers[0]), Number(numbers[1]), use, removals);
            }
            else if (field == "w")
            {
                snapshot.Writer = Text(reply);
            }
        }

        return snapshot;
    }

    private static string Text(RespReader reply) => Encoding.UTF8.GetString(reply.Bytes);

    private static long Number(string text) => long.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
