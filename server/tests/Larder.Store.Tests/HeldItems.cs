namespace Larder.Store.Tests;

/// <summary>Counts how often the item of each handle left the store.</summary>
internal sealed class HeldItems : IItemMemory
{
    public Dictionary<string, int> Released { get; } = [];

    public void Release(ItemType type, ReadOnlySpan<byte> handle)
    {
        string name = $"{type} {BitConverter.ToInt64(handle)}";
        Released[name] = Released.GetValueOrDefault(name) + 1;
    }
}
