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

    /// <summary>The names in ordinal order.</summary>
    public IReadOnlyList<string> Names => [.. _byName.Keys.Order(StringComparer.Ordinal)];

    public RemoteCache? Find(ReadOnlySpan<char> name) => _byCharacters.TryGetValue(name, out RemoteCache? cache) ? cache : null;

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
        }

        return snapshot;
    }

    private static string Text(RespReader reply) => Encoding.UTF8.GetString(reply.Bytes);

    private static long Number(string text) => long.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
