namespace Larder.Server.Calls;

/// <summary>The size of the hash that stands for a value in the hash conditions.</summary>
internal static class ValueHash
{
    /// <summary>Room for the hash, in bytes: 128 bits.</summary>
    public const int MaxBytes = 16;
}
