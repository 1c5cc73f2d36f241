namespace Larder.Server;

/// <summary>Validates cache names. A valid name has 1 to 255 characters and is not blank.</summary>
internal static class CacheName
{
    public const int MaxCharacters = 255;

    public static bool IsValid(string? name) =>
        !string.IsNullOrWhiteSpace(name) && name.Length <= MaxCharacters;
}
