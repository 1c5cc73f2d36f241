namespace Larder.Server.Fleet;

/// <summary>The outcome of a directory change. The numeric values are those that the script returns.</summary>
internal enum DirectoryOutcome
{
    /// <summary>The change was not made: the cache to create already exists, or the cache to delete or flush does not exist.</summary>
    NotDone = 0,
    Done = 1,
    TooMany = 2,
}
