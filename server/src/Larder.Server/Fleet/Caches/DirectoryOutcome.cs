namespace Larder.Server.Fleet;

/// <summary>The outcome of a directory change. The values are those that the script returns.</summary>
internal enum DirectoryOutcome
{
    /// <summary>A cache to create already exists, or a cache to delete or flush does not exist.</summary>
    NotDone = 0,
    Done = 1,
    TooMany = 2,
}
