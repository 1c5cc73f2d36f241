using System.Globalization;
using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>The directory at one version: the caches by name. Never changed.</summary>
internal sealed class DirectorySnapshot
{
    private readonly Dictionary<string, RemoteCache> _byName = new(StringComparer.Ordinal);
    private readonly Dictionary<string, RemoteCache>.AlternateLookup<ReadOnlySpan<char>> _byCharacters;

    private DirectorySnapshot(string version)
    {
        Version = version;
        _byCharacters = _byName.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>The version that it is.</summary>
    public string Version { get; }

    /// <summary>Who wrote that version: after a failover two fronts may have written the same.</summary>
    public string Writer { get; private set; } = "";

    public IReadOnlyCollection<RemoteCache> Caches => _byName.Values;

    /// <summary>The names in ordinal order.</summary>
    public IReadOnlyList<string> Names => [.. _byName.Keys.Order(StringComparer.Ordinal)];

    public RemoteCache? Find(ReadOnlySpan<char> name) => _byCharacters.TryGetValue(name, out RemoteCache? cache) ? cache : null;

    /// <summary>
    /// Whether it is without something that <paramref name="known"/> has: its master was promoted before the last changes had reached it. A cache that is not
    /// in what is known, though it is no younger, had been deleted.
    /// </summary>
    public bool Lacks(DirectorySnapshot known) =>
        Number(Version) < Number(known.Version)
        || _byName.Values.Any(cache => cache.Generation < known.Find(cache.Name)?.Generation)
        || _byName.Values.Any(cache => known.Find(cache.Name) is null && cache.Generation <= Number(known.Version));

    /// <summary>The ids of its caches that are flushed or deleted in <paramref name="next"/>.</summary>
    public long[] LostIn(DirectorySnapshot next) => [.. _byName.Values.Where(cache => !cache.IsStill(next.Find(cache.Name))).Select(static cache => cache.Id)];

    /// <summary>
    /// The same as what comes after <paramref name="known"/>: a cache that is as it was is the same object, and one that was emptied has
    /// <paramref name="hold"/> before it.
    /// </summary>
    public DirectorySnapshot After(DirectorySnapshot known, FlushHold? hold)
    {
        DirectorySnapshot after = new(Version) { Writer = Writer };
        foreach (RemoteCache cache in Caches)
        {
            RemoteCache? before = known.Find(cache.Name);
            after._byName[cache.Name] = before is null ? cache : cache.IsStill(before) ? before : cache with { Hold = hold };
        }

        return after;
    }

    /// <summary>Reads what the beat's script answers; null where the version is the one that was known.</summary>
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
                snapshot._byName[name] = new RemoteCache(name, Number(numbers[0]), Number(numbers[1]));
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
