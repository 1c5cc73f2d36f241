namespace Larder.Tuner.Processes;

/// <summary>Another built checkout of Larder. Its server and agents are compared with those of this checkout.</summary>
internal sealed class OtherCheckout
{
    private OtherCheckout(string root) => Root = root;

    /// <summary>Gets the root folder of the checkout.</summary>
    public string Root { get; }

    /// <summary>Gets the path of the server program in the checkout.</summary>
    public string Server => Moved(Programs.Server);

    /// <summary>Opens a checkout.</summary>
    /// <exception cref="FormatException">The folder is not a checkout, or it is this checkout.</exception>
    /// <exception cref="TunerException">The server of the checkout is not built.</exception>
    public static OtherCheckout Open(string folder)
    {
        string root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder));
        if (!File.Exists(Path.Combine(root, "Larder.slnx")))
        {
            throw new FormatException($"--before must be the folder of another checkout of Larder, but {folder} contains no Larder.slnx");
        }

        if (root == Programs.Root)
        {
            throw new FormatException("--before must be another checkout, not this one; create one with git worktree add");
        }

        var checkout = new OtherCheckout(root);
        return File.Exists(checkout.Server)
            ? checkout
            : throw new TunerException($"{checkout.Server} is not built; run `./larder bench --help` in that checkout to build it");
    }

    private string Moved(string path) => Root + path[Programs.Root.Length..];
}
