namespace Larder.Store.Bench;

/// <summary>A cache of a fixed number of equal objects, seen only through its hits.</summary>
internal interface IPolicy
{
    /// <summary>Requests an object, and admits it where it was missing.</summary>
    /// <returns>Whether it was there.</returns>
    bool Request(int key);
}
