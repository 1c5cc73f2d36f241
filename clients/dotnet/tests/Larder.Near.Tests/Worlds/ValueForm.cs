namespace Larder.Near.Tests.Worlds;

/// <summary>The kind of value that a key has.</summary>
internal enum ValueForm : byte
{
    Small,
    Missing,
    Large,
}
