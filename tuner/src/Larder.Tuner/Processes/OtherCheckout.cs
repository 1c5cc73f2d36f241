namespace Larder.Tuner.Processes;

/// <summary>Another checkout of Larder, built, whose server and agents are driven in turn with this tree's.</summary>
internal sealed class OtherCheckout
{
    private OtherCheckout(string root) => Root = root;

    /// <summary>Its folder.</summary>
    public string Root { get; }

    /// <summary>Its server's program.</summary>
    public string Server => Moved(Programs.Server);

    /// <summary>Opens one.</summary>
    /// <exception cref="FormatException">The folder is no checkout, or this tree itself.</exception>
    /// <exception cref="TunerException">Its server is not built.</exception>
    public static OtherCheckout Open(string folder)
    {
        string root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder));
        if (!File.Exists(Path.Combine(root, "Larder.slnx")))
        {
            throw new FormatException($"--before is the folder of another checkout of Larder; {folder} holds no Larder.slnx");
        }

        if (root == Programs.Root)
        {
            throw new FormatException("--before is another checkout, not this one: git worktree add makes one");
        }

        var checkout = new OtherCheckout(root);
        return File.Exists(checkout.Server)
            ? checkout
            : throw new TunerException($"{checkout.Server} is not built: run `./larder bench --help` there, which builds what it needs");
    }

    private string Moved(string path) => Root + path[Programs.Root.Length..];
}
