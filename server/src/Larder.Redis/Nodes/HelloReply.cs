using System.Text;

namespace Larder.Redis;

/// <summary>A node's description of itself in its reply to HELLO.</summary>
/// <param name="Version">The version of the engine.</param>
/// <param name="IsCluster">Whether the node belongs to a cluster.</param>
/// <param name="IsReplica">Whether the node is a replica.</param>
/// <param name="Connection">The id that the node assigned to the connection; 0 if the reply does not contain an id.</param>
internal sealed record HelloReply(string Version, bool IsCluster, bool IsReplica, long Connection = 0)
{
    /// <summary>Parses the reply to HELLO. Unknown fields are ignored.</summary>
    /// <exception cref="InvalidDataException">The reply is not a map.</exception>
    public static HelloReply Read(ref RespReader reply)
    {
        if (reply.Kind != RespKind.Map)
        {
            throw new InvalidDataException("The node sent an invalid response to HELLO.");
        }

        string version = "";
        bool isCluster = false;
        bool isReplica = false;
        long connection = 0;
        for (int left = reply.Count / 2; left > 0; left--)
        {
            reply.Read();
            ReadOnlySpan<byte> field = reply.Bytes;
            reply.Skip();
            reply.Read();
            if (field.SequenceEqual("version"u8))
            {
                version = Encoding.UTF8.GetString(reply.Bytes);
            }
            else if (field.SequenceEqual("mode"u8))
            {
                isCluster = reply.Bytes.SequenceEqual("cluster"u8);
            }
            else if (field.SequenceEqual("role"u8))
            {
                isReplica = !reply.Bytes.SequenceEqual("master"u8);
            }
            else if (field.SequenceEqual("id"u8))
            {
                connection = reply.Integer;
            }

            reply.Skip();
        }

        return new HelloReply(version, isCluster, isReplica, connection);
    }
}
