namespace Larder.Near.Tests.Worlds;

/// <summary>What is under a key.</summary>
internal enum ValueForm : byte
{
    Small,
    Missing,
    Large,
}
