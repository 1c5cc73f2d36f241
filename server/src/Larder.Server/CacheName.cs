namespace Larder.Server;

/// <summary>The rule for cache names: 1 to 255 characters, not blank.</summary>
internal static class CacheName
{
    public const int MaxCharacters = 255;

    public static bool IsValid(string? name) =>
        !string.IsNullOrWhiteSpace(name) && name.Length <= MaxCharacters;
}
