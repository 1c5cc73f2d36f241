using System.Text;

namespace Larder.Store;

/// <summary>Maps names (as text and as UTF-8) to caches. Immutable: creating or deleting a cache replaces the whole directory.</summary>
internal sealed class CacheDirectory
{
    private readonly Dictionary<string, Cache> _byName;
    private readonly Dictionary<byte[], Cache> _byUtf8;
    private readonly Dictionary<byte[], Cache>.AlternateLookup<ReadOnlySpan<byte>> _byUtf8Span;

    private CacheDirectory(Dictionary<string, Cache> byName)
    {
        _byName = byName;
        _byUtf8 = byName.Values.ToDictionary(cache => Encoding.UTF8.GetBytes(cache.Name), Utf8NameComparer.Instance);
        _byUtf8Span = _byUtf8.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    public static CacheDirectory Empty { get; } = new(new Dictionary<string, Cache>(StringComparer.Ordinal));

    public IReadOnlyCollection<Cache> Caches => _byName.Values;

    public Cache? Find(string name) => _byName.GetValueOrDefault(name);

    public Cache? Find(ReadOnlySpan<byte> utf8Name) => _byUtf8Span.TryGetValue(utf8Name, out Cache? cache) ? cache : null;

    public CacheDirectory With(Cache cache) => new(new Dictionary<string, Cache>(_byName, StringComparer.Ordinal) { [cache.Name] = cache });

    public CacheDirectory Without(Cache cache)
    {
        var byName = new Dictionary<string, Cache>(_byName, StringComparer.Ordinal);
        byName.Remove(cache.Name);
        return new CacheDirectory(byName);
    }
}
