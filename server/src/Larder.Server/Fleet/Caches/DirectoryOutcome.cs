namespace Larder.Server.Fleet;

/// <summary>What came of a change of the directory: the numbers that the script answers.</summary>
internal enum DirectoryOutcome
{
    /// <summary>To create: the cache exists. To delete or flush: there is none.</summary>
    NotDone = 0,
    Done = 1,
    TooMany = 2,
}
