namespace Larder.Tuner.Processes;

/// <summary>Another built checkout of Larder, whose server and agents are compared with this one's.</summary>
internal sealed class OtherCheckout
{
    private OtherCheckout(string root) => Root = root;

    /// <summary>The root folder of the checkout.</summary>
    public string Root { get; }

    /// <summary>The path of its server program.</summary>
    public string Server => Moved(Programs.Server);

    /// <summary>Opens a checkout.</summary>
    /// <exception cref="FormatException">The folder is not a checkout, or is this checkout.</exception>
    /// <exception cref="TunerException">The server of the checkout is not built.</exception>
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
